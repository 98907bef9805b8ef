import { type QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { Landing } from "./landing.tsx";
import { NotFound } from "./not-found.tsx";

/** Renders the page at a path. Two pages need no router. */
export function Site({ path, queryClient }: { path: string; queryClient: QueryClient }) {
  return (
    <StrictMode>
      <QueryClientProvider client={queryClient}>{path === "/" ? <Landing /> : <NotFound />}</QueryClientProvider>
    </StrictMode>
  );
}
