import { QueryClient, QueryClientProvider } from "@tanstack/react-query";
import { type ReactNode, StrictMode } from "react";
import { createRoot } from "react-dom/client";
import { App } from "./app.tsx";
import { stopRefetchingWhenIdle } from "./http/idle.ts";
import { openSession, SESSION_ENDED } from "./http/session.ts";
import { SessionEnded, SIGNED_OUT_PATHS, SignedOut } from "./ui/signed-out.tsx";

const queryClient = new QueryClient({
  // A local console works even if the browser is offline.
  defaultOptions: {
    queries: { networkMode: "always", retry: 1, staleTime: 5000 },
    mutations: { networkMode: "always" },
  },
});

stopRefetchingWhenIdle();
const element = document.getElementById("root");
if (!element) throw new Error("The page has no #root");
const root = createRoot(element);
const { mode, isOpen, ...names } = await openSession();
if (mode === "team" && (!isOpen || SIGNED_OUT_PATHS.includes(location.pathname))) render(<SignedOut {...names} />);
else render(isOpen ? <App /> : <SessionEnded />);
addEventListener(SESSION_ENDED, () => render(<SignedOut {...names} hasEnded />));

function render(screen: ReactNode): void {
  root.render(
    <StrictMode>
      <QueryClientProvider client={queryClient}>{screen}</QueryClientProvider>
    </StrictMode>,
  );
}
