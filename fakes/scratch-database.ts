import { randomBytes } from 'node:crypto';
import { Client } from 'pg';

/** A temporary database. The user of the URL needs the CREATEDB privilege. */
export type ScratchDatabase = { url: string; drop: () => Promise<void> };

export async function makeScratchDatabase(address: string): Promise<ScratchDatabase> {
  const name = `boxgate_${randomBytes(8).toString('hex')}`;
  await ask(address, `CREATE DATABASE ${name}`);
  const url = new URL(address);
  url.pathname = `/${name}`;
  let dropped: Promise<void> | null = null;
  return {
    url: url.href,
    drop: () => {
      dropped ??= ask(address, `DROP DATABASE IF EXISTS ${name} WITH (FORCE)`);
      return dropped;
    },
  };
}

async function ask(address: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: address });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
