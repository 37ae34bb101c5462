import { createHash } from 'node:crypto';
import { startFloor } from '../box.ts';
import { boxId, type Caller, heartbeatOf, makeGround, newToken, startGateway } from '../gateway.ts';
import { askOnce, type Load, runLoad } from '../load.ts';
import type { Group, Row } from '../measure-row.ts';
import { type Postgres, startPostgres } from '../postgres.ts';

const boxes = 10_000;

/** Heartbeats on a shared store, which checks each token. */
export async function postgresRows(): Promise<Group> {
  const postgres = await startPostgres();
  if (postgres === null) return { rows: [unmeasured], close: async () => undefined };
  const ground = makeGround({ GATEWAY_STORE: postgres.url });
  const gateway = await startGateway(ground);
  const callers = fillPostgres(postgres);
  const load: Load = { requests: 8000, connections: 32, bytes: callers.map(heartbeatOf) };
  const answer = await askOnce(gateway.port, load.bytes[0] ?? '');
  if (!/^HTTP\/1\.1 200 .*"ok"/s.test(answer)) throw new Error(`a wrong answer to measure: ${answer}`);
  const floor = await startFloor(answer);
  for (const server of [gateway, floor]) await runLoad(server, { ...load, requests: 20_000 });

  const rowOf = (name: string, figure: 'wallMicros' | 'cpuMicros' | 'p99Ms', goal: number | null): Row => ({
    name: `heartbeat on postgres:, 32 connections: ${name}`,
    floor: 'bare node:http, same bytes',
    goal,
    unit: figure === 'p99Ms' ? 'ms' : 'µs',
    round: async () => {
      const a = await runLoad(gateway, load);
      const b = await runLoad(floor, load);
      return { ours: a[figure], floor: b[figure], disturbed: a.disturbed || b.disturbed };
    },
  });
  return {
    rows: [
      rowOf('time per request', 'wallMicros', 1 / 0.5),
      rowOf('CPU of the gateway', 'cpuMicros', null),
      rowOf('p99', 'p99Ms', null),
    ],
    close: async () => {
      await gateway.stop();
      await floor.stop();
      await postgres.stop();
      ground.dispose();
    },
  };
}

/** The row if PostgreSQL is not installed. */
const unmeasured: Row = {
  name: 'heartbeat on postgres:, 32 connections: time per request',
  floor: 'bare node:http, same bytes',
  goal: 1 / 0.5,
  unit: 'µs',
  round: async () => ({ ours: 0, floor: 0, disturbed: true }),
};

export function fillPostgres(postgres: Postgres): Caller[] {
  postgres.run(
    `INSERT INTO boxes (id, account_id, name, peer_name, state, token_hash, peer_id, address, created_at)
      SELECT 'box_' || lpad(i::text, 20, '0'), (SELECT account_id FROM store), 'Box ' || i, 'boxgate-' || i, 'active',
        sha256(('no token ' || i)::bytea), 'peer-' || i, '10.8.0.2', 1 FROM generate_series(0, ${boxes - 1}) AS i`,
  );
  const callers = Array.from({ length: 1000 }, (_, n) => ({ id: boxId(n), token: newToken() }));
  const rows = callers.map(({ id, token }) => {
    const hash = createHash('sha256').update(token).digest('hex');
    return `('${id}', '\\x${hash}'::bytea)`;
  });
  postgres.run(
    `UPDATE boxes SET token_hash = known.hash FROM (VALUES ${rows.join(', ')}) AS known (id, hash)
      WHERE boxes.id = known.id`,
  );
  // Otherwise PostgreSQL's autovacuum would run during the rounds.
  postgres.run('VACUUM ANALYZE');
  postgres.run('CHECKPOINT');
  return callers;
}
