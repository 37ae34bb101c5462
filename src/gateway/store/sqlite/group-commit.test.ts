import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { type Operation, query, sql } from '../statement.ts';
import { makeGroupCommit } from './group-commit.ts';
import { inMemory, openSqlite, type SqliteDatabase } from './sqlite-database.ts';

describe('changes in one turn of the event loop', () => {
  it('share a commit, and resolve after it', async () => {
    const { database, said, texts } = makeDatabase();
    const { change } = makeGroupCommit(database);
    const results = await Promise.all(
      ['a', 'b', 'c'].map((text) => change(add(text), () => said.push(`told ${text}`))),
    );
    assert.deepEqual(results, ['a', 'b', 'c']);
    assert.deepEqual(said, ['BEGIN IMMEDIATE', 'COMMIT', 'told a', 'told b', 'told c']);
    assert.deepEqual(texts(), ['a', 'b', 'c']);
    await change(add('d'));
    assert.deepEqual(said.slice(5), ['BEGIN IMMEDIATE', 'COMMIT']);
  });

  it('succeed if one fails in its middle, and that one has no effect', async () => {
    const { database, texts } = makeDatabase();
    const { change } = makeGroupCommit(database);
    const outcomes = await Promise.allSettled([change(add('a')), change(addAndFail('b')), change(add('c'))]);
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    );
    assert.deepEqual(texts(), ['a', 'c']);
  });

  it('all fail with the commit, and have no effect', async () => {
    const { database, said, texts, refuse } = makeDatabase();
    const { change } = makeGroupCommit(database);
    refuse('COMMIT');
    const outcomes = await Promise.allSettled(
      ['a', 'b'].map((text) => change(add(text), () => said.push(`told ${text}`))),
    );
    assert.deepEqual(
      outcomes.map((outcome) => outcome.status === 'rejected' && outcome.reason.message),
      ['the disk is full', 'the disk is full'],
    );
    assert.deepEqual(said, ['BEGIN IMMEDIATE', 'COMMIT', 'ROLLBACK']);
    assert.deepEqual(texts(), []);
    refuse(null);
    await change(add('c'));
    assert.deepEqual(texts(), ['c']);
  });

  it('are committed at once by a flush', async () => {
    const { database, texts } = makeDatabase();
    const { change, flush } = makeGroupCommit(database);
    const answer = change(add('a'));
    flush();
    assert.deepEqual(texts(), ['a']);
    assert.equal(await answer, 'a');
  });
});

function* add(text: string): Operation<string> {
  yield* query(sql`INSERT INTO texts (text) VALUES (${text})`);
  return text;
}

function* addAndFail(text: string): Operation<string> {
  yield* add(text);
  throw new Error('a rule was broken');
}

/** A real database that records transactions and can refuse one kind of statement. */
function makeDatabase() {
  const real = openSqlite(inMemory);
  const said: string[] = [];
  let refused: string | null = null;
  const database: SqliteDatabase = {
    all(sql, params) {
      if (/^(BEGIN|COMMIT|ROLLBACK$)/.test(sql)) said.push(sql);
      if (sql === refused) throw new Error('the disk is full');
      return real.all(sql, params);
    },
    close: real.close,
  };
  real.all('CREATE TABLE texts (text TEXT)', []);
  return {
    database,
    said,
    texts: () => real.all('SELECT text FROM texts ORDER BY rowid', []).map((row) => row.text),
    refuse(sql: string | null) {
      refused = sql;
    },
  };
}
