import { Client } from "pg";

/** Executes one statement and returns its rows. */
export async function executeOn<Row>(url: string, statement: string): Promise<Row[]> {
  const client = new Client({ connectionString: url });
  await client.connect();
  return (await client.query(statement).finally(() => client.end())).rows;
}
