import { startTransition } from "react";
import { hydrateRoot } from "react-dom/client";
import { createQueryClient } from "#site/http/query-client.ts";
import { Site } from "#site/pages/site.tsx";

const root = document.getElementById("root");
if (root) {
  // In a transition, React hydrates in slices and handles input first. Otherwise, hydration is one long task.
  startTransition(() => {
    hydrateRoot(root, <Site path={location.pathname} queryClient={createQueryClient()} />);
  });
}
