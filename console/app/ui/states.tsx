import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
  empty?: string;
  /** The notice above data that couldn't be refetched. */
  staleText?: (data: Data) => ReactNode;
}

/** Renders a query's data, or its loading or error state. */
export function Loaded<Data>({ query, children, empty, staleText }: LoadedProps<Data>) {
  if (query.data !== undefined) {
    const isEmpty = Array.isArray(query.data) && query.data.length === 0;
    return (
      <>
        {query.isRefetchError && (
          <Failed isAboveContent reason={query.error} text={staleText?.(query.data)} onRetry={() => query.refetch()} />
        )}
        {empty && isEmpty ? <Empty>{empty}</Empty> : children(query.data)}
      </>
    );
  }
  if (query.isError) return <Failed reason={query.error} onRetry={() => query.refetch()} />;
  return <Loading />;
}

export function Loading() {
  return (
    <p className="state" role="status">
      Loading…
    </p>
  );
}

interface FailedProps {
  reason: Error;
  text?: ReactNode;
  onRetry: () => void;
  /** Whether the error is shown above stale content whose refetch failed. */
  isAboveContent?: boolean;
}

export function Failed({ reason, text, onRetry, isAboveContent = false }: FailedProps) {
  return (
    <div className={isAboveContent ? "toolbar" : "state"} role="alert">
      <p>
        {reason.message} {text}
      </p>
      <Button onClick={onRetry}>Try again</Button>
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <div className="state empty">{children}</div>;
}
