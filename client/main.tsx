import { hydrateRoot } from "react-dom/client";
import { createQueryClient } from "#client/http/query-client.ts";
import { Site } from "#client/pages/site.tsx";

const root = document.getElementById("root");
if (root) hydrateRoot(root, <Site path={location.pathname} queryClient={createQueryClient()} />);
