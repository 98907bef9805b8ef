import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

interface LoadedProps<Data> {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
  /** What to say about content that couldn't be refetched. */
  staleText?: (data: Data) => string;
}

/** A query's content once it is there, and until then what is going on. */
export function Loaded<Data>({ query, children, staleText }: LoadedProps<Data>) {
  if (query.data !== undefined) {
    return (
      <>
        {query.isRefetchError && (
          <RefetchFailed reason={query.error} text={staleText?.(query.data)} onRetry={() => query.refetch()} />
        )}
        {children(query.data)}
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

export function Failed({ reason, onRetry }: { reason: Error; onRetry: () => void }) {
  return (
    <div className="state" role="alert">
      <p>{reason.message}</p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

interface RefetchFailedProps {
  reason: Error;
  text?: string | undefined;
  onRetry: () => void;
}

/** Above content that stays, although it couldn't be refetched. */
export function RefetchFailed({ reason, text, onRetry }: RefetchFailedProps) {
  return (
    <div className="toolbar" role="alert">
      <p>
        {reason.message} {text}
      </p>
      <button type="button" onClick={onRetry}>
        Try again
      </button>
    </div>
  );
}

export function Empty({ children }: { children: ReactNode }) {
  return <p className="state">{children}</p>;
}
