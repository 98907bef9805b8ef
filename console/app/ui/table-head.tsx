import type { ReactNode } from "react";

interface TableHeadProps {
  columns: string[];
  children?: ReactNode;
}

export function TableHead({ columns, children }: TableHeadProps) {
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
