import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { stopRefetchingWhenIdle } from "./http/idle.ts";
import { openSession } from "./http/session.ts";
import { SessionEnded } from "./ui/session-ended.tsx";
import { applyTheme } from "./ui/theme.ts";

const queryClient = new QueryClient({
  // The API is on this machine, so it works even if the browser is offline.
  defaultOptions: {
    queries: { networkMode: "always", retry: 1, staleTime: 5000 },
    mutations: { networkMode: "always" },
  },
});

applyTheme();
stopRefetchingWhenIdle();
const hasSession = await openSession();
const root = document.getElementById("root");
if (!root) throw new Error("The page has no #root");
createRoot(root).render(
  <StrictMode>
    <QueryClientProvider client={queryClient}>{hasSession ? <App /> : <SessionEnded />}</QueryClientProvider>
  </StrictMode>,
);
