import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";

/** A query's content once it is there, and until then what is going on. */
export function Loaded<Data>({
  query,
  children,
}: {
  query: UseQueryResult<Data>;
  children: (data: Data) => ReactNode;
}) {
  if (query.data !== undefined) return children(query.data);
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

export function Empty({ children }: { children: ReactNode }) {
  return <p className="state">{children}</p>;
}
