import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { createQueryClient } from "#site/http/query-client.ts";
import { Site } from "#site/pages/site.tsx";

const root = document.getElementById("root");
if (root) {
  // A transition is hydrated in slices that let the visitor's own input go first; without it, in one long task.
  startTransition(() => {
    hydrateRoot(root, <Site path={location.pathname} queryClient={createQueryClient()} />);
  });
}
