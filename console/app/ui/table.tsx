import type { ReactNode } from "react";
import { ScrollRegion } from "./scroll-region.tsx";

/** The content of each column's cells, by the column's name. The first column names the row. */
export type Columns<Row> = Record<string, (row: Row) => ReactNode>;

interface TableProps<Row> {
  label: string;
  className: string;
  rows: Row[];
  columns: Columns<Row>;
}

/** For short lists, because every row is in the document. */
export function Table<Row extends { id: string }>({ label, className, rows, columns }: TableProps<Row>) {
  return (
    <ScrollRegion aria-label={label}>
      <table className={`plain ${className}`}>
        <TableHead columns={Object.keys(columns)} />
        <tbody>
          {rows.map((row) => (
            <tr key={row.id}>
              <Cells row={row} columns={columns} />
            </tr>
          ))}
        </tbody>
      </table>
    </ScrollRegion>
  );
}

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

export function Cells<Row>({ row, columns }: { row: Row; columns: Columns<Row> }) {
  const [first, ...others] = Object.entries(columns).map(([name, cell]) => ({ name, content: cell(row) }));
  return (
    <>
      <th scope="row">{first?.content}</th>
      {others.map(({ name, content }) => (
        <td key={name}>{content}</td>
      ))}
    </>
  );
}
