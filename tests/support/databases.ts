import { randomBytes } from "node:crypto";
import { Client } from "pg";

/** Creates a database with a random name on the given server, empty or cloned from a template, and returns its URL. */
export async function createDatabase(serverUrl: string, template = "template1"): Promise<string> {
  const name = `farwatch_test_${randomBytes(6).toString("hex")}`;
  await onServer(serverUrl, `create database ${name} template ${template}`);
  return withDatabase(serverUrl, name);
}

export async function cloneDatabase(templateUrl: string): Promise<string> {
  return createDatabase(templateUrl, databaseOf(templateUrl));
}

export async function dropDatabase(url: string): Promise<void> {
  await onServer(url, `drop database ${databaseOf(url)} with (force)`);
}

async function onServer(url: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: withDatabase(url, "postgres") });
  await client.connect();
  await client.query(statement).finally(() => client.end());
}

function databaseOf(url: string): string {
  return new URL(url).pathname.slice(1);
}

function withDatabase(url: string, name: string): string {
  const changed = new URL(url);
  changed.pathname = `/${name}`;
  return changed.href;
}
