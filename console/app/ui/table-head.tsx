import type { ReactNode } from "react";

export function TableHead({ columns, children }: { columns: string[]; children?: ReactNode }) {
  return (
    <thead>
      <tr aria-rowindex={1}>
        {children}
        {columns.map((name) => (
          <th key={name} scope="col">
            {name}
          </th>
        ))}
      </tr>
    </thead>
  );
}
