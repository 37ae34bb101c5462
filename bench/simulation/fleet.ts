import { quantile } from '../rows.ts';
import { type Clock, makeClock, makeRandom, makeResource, type Resource } from './events.ts';

/** What things take, in µs: processor time where it says so, else waiting. */
export type Costs = {
  /** Processor time of the gateway. */
  heartbeat: number;
  change: number;
  /** Processor time of PostgreSQL. */
  lookUpStatement: number;
  lookUpToken: number;
  touchTransaction: number;
  touchBox: number;
  publishTransaction: number;
  readPublishedBox: number;
  /** There and back between gateway and PostgreSQL. */
  roundTrip: number;
  /** A sync of PostgreSQL's log; commits at the same time share it. */
  sync: number;
  /** The tunnel manager's part of a registration, one at a time over all processes. */
  manager: number;
};

export type Load = {
  processes: number;
  databaseCores: number;
  boxes: number;
  /** Each box sends one in so many seconds. */
  heartbeatSeconds: number;
  publishesPerSecond: number;
  registrationsPerSecond: number;
};

export type Seen = {
  heartbeatsPerSecond: number;
  heartbeatMs: { p50: number; p99: number };
  publishMs: { p50: number; p99: number };
  registrationMs: { p50: number; p99: number };
  /** Of ended ones, the share that waited too long for the tunnel manager's turn. */
  busyShare: number;
  tokensPerStatement: number;
  /** What came in faster than it could be done. */
  fallsBehind: string[];
  /** Shares of their time. */
  utilisation: Record<
    'gateway CPU' | 'PostgreSQL CPU' | 'connections' | 'heartbeat writes' | 'tunnel manager',
    number
  >;
};

/** As in the stores: see the gateway's token look-ups, its pool, its heartbeats and its lock for the tunnel manager. */
const inOneStatement = 256;
const statementsAtOnce = 2;
const pooledConnections = 7;
const flushMicros = 3_000_000;
const boxesInSlice = 500;
const turnMicros = 20_000_000;
/** Statements of one change, its begin and commit among them. */
const roundTripsOfChange = 8;
const roundTripsOfTouch = 4;

const warmUp = 6_000_000;
const measured = 12_000_000;

type World = {
  clock: Clock;
  costs: Costs;
  database: Resource;
  touchLock: Resource;
  manager: Resource;
  processes: Process[];
};

type Process = { cpu: Resource; connections: Resource; tokens: Tokens; touched: number; writing: number };
type Tokens = { waiting: (() => void)[]; underWay: number; statements: number; looked: number };

/** Runs a fleet of gateways on one PostgreSQL for some simulated seconds. The same seed gives the same figures. */
export function simulate(load: Load, costs: Costs, seed: number): Seen {
  const random = makeRandom(seed);
  const world = makeWorld(load, costs);
  const { clock } = world;
  const open = { heartbeats: 0, publishes: 0, registrations: 0 };
  const times = { heartbeat: [] as number[], publish: [] as number[], registration: [] as number[] };
  let busy = 0;
  const record = (list: number[], begun: number) => {
    if (begun >= warmUp) list.push((clock.now - begun) / 1000);
  };
  const any = () => world.processes[Math.floor(random() * load.processes)] as Process;
  const arrive = (perSecond: number, event: () => void) => {
    if (perSecond === 0) return;
    const next = () => {
      event();
      clock.after((-Math.log(1 - random()) * 1e6) / perSecond, next);
    };
    clock.after((random() * 1e6) / perSecond, next);
  };

  const heartbeatsPerSecond = load.boxes / load.heartbeatSeconds;
  arrive(heartbeatsPerSecond, () => {
    const begun = clock.now;
    open.heartbeats += 1;
    heartbeat(world, any(), () => {
      open.heartbeats -= 1;
      record(times.heartbeat, begun);
    });
  });
  arrive(load.publishesPerSecond, () => {
    const begun = clock.now;
    open.publishes += 1;
    publish(world, any(), () => {
      open.publishes -= 1;
      record(times.publish, begun);
    });
  });
  arrive(load.registrationsPerSecond, () => {
    const begun = clock.now;
    open.registrations += 1;
    register(world, any(), (wasBusy) => {
      open.registrations -= 1;
      if (wasBusy) busy += 1;
      record(times.registration, begun);
    });
  });
  for (const process of world.processes) clock.after(random() * flushMicros, () => flush(world, process));

  clock.runUntil(warmUp);
  const { database, touchLock, manager, processes } = world;
  const all = [
    database,
    touchLock,
    manager,
    ...processes.flatMap(({ cpu, connections }) => [cpu, connections]),
  ];
  for (const resource of all) resource.reset();
  clock.runUntil(warmUp + measured);
  const most = (of: (process: Process) => Resource) =>
    Math.max(...processes.map((one) => of(one).utilisation()));
  const sum = (of: (tokens: Tokens) => number) =>
    processes.reduce((total, { tokens }) => total + of(tokens), 0);
  const unwritten = processes.reduce((total, { touched, writing }) => total + touched + writing, 0);
  // What is open at the end belongs to a moment; a whole second of it, or of writes twice their turn, is a queue.
  const fallsBehind = [
    ...(open.heartbeats > heartbeatsPerSecond ? ['heartbeats'] : []),
    ...(open.publishes > load.publishesPerSecond ? ['publishes'] : []),
    ...(open.registrations > load.registrationsPerSecond + 1 ? ['registrations'] : []),
    ...(unwritten > (heartbeatsPerSecond * flushMicros * 2) / 1e6 ? ['the writing of heartbeats'] : []),
  ];
  return {
    heartbeatsPerSecond,
    fallsBehind,
    heartbeatMs: spread(times.heartbeat),
    publishMs: spread(times.publish),
    registrationMs: spread(times.registration),
    busyShare: busy / Math.max(1, times.registration.length),
    tokensPerStatement:
      sum(({ looked }) => looked) /
      Math.max(
        1,
        sum(({ statements }) => statements),
      ),
    utilisation: {
      'gateway CPU': most(({ cpu }) => cpu),
      'PostgreSQL CPU': database.utilisation(),
      connections: most(({ connections }) => connections),
      'heartbeat writes': touchLock.utilisation(),
      'tunnel manager': manager.utilisation(),
    },
  };
}

function makeWorld(load: Load, costs: Costs): World {
  const clock = makeClock();
  return {
    clock,
    costs,
    database: makeResource(clock, load.databaseCores),
    touchLock: makeResource(clock, 1),
    manager: makeResource(clock, 1),
    processes: Array.from({ length: load.processes }, () => ({
      cpu: makeResource(clock, 1),
      connections: makeResource(clock, pooledConnections),
      tokens: { waiting: [], underWay: 0, statements: 0, looked: 0 },
      touched: 0,
      writing: 0,
    })),
  };
}

function heartbeat(world: World, process: Process, done: () => void): void {
  process.cpu.use(world.costs.heartbeat, () => {
    process.tokens.waiting.push(() => {
      process.touched += 1;
      done();
    });
    lookUp(world, process);
  });
}

/** Those that wait while two statements are on their way go together in the next. */
function lookUp(world: World, process: Process): void {
  const { tokens } = process;
  if (tokens.underWay === statementsAtOnce || tokens.waiting.length === 0) return;
  const group = tokens.waiting.splice(0, inOneStatement);
  tokens.underWay += 1;
  tokens.statements += 1;
  tokens.looked += group.length;
  const { lookUpStatement, lookUpToken } = world.costs;
  process.connections.take((release) => {
    ask(world, 1, lookUpStatement + lookUpToken * group.length, () => {
      release();
      for (const found of group) found();
      tokens.underWay -= 1;
      lookUp(world, process);
    });
  });
}

/** Statements of one connection: so many ways there and back, and their processor time. */
function ask({ clock, costs, database }: World, roundTrips: number, micros: number, then: () => void): void {
  clock.after(costs.roundTrip * roundTrips, () => database.use(micros, then));
}

/** What a process saw in the last seconds, in slices; all processes write one after the other. */
function flush(world: World, process: Process): void {
  const { clock, costs, touchLock } = world;
  const slice = (left: number) => {
    process.writing = left;
    if (left <= 0) {
      clock.after(flushMicros, () => flush(world, process));
      return;
    }
    const boxes = Math.min(left, boxesInSlice);
    process.connections.take((release) => {
      touchLock.take((unlock) => {
        ask(world, roundTripsOfTouch, costs.touchTransaction + costs.touchBox * boxes, () => {
          clock.after(costs.sync, () => {
            unlock();
            release();
            slice(left - boxes);
          });
        });
      });
    });
  };
  const seen = process.touched;
  process.touched = 0;
  slice(seen);
}

function change(world: World, process: Process, then: () => void): void {
  process.cpu.use(world.costs.change, () => {
    process.connections.take((release) => {
      ask(world, roundTripsOfChange, world.costs.publishTransaction, () => {
        world.clock.after(world.costs.sync * 1.5, () => {
          release();
          then();
        });
      });
    });
  });
}

/** The row, then the file of the process that was asked; all others read what they have to mirror. */
function publish(world: World, process: Process, done: () => void): void {
  const { costs, clock, processes } = world;
  change(world, process, () => {
    for (const other of processes) {
      other.connections.take((release) => {
        ask(world, 3, costs.readPublishedBox + costs.lookUpStatement, () => {
          release();
          if (other === process) clock.after(costs.sync * 2, done);
        });
      });
    }
  });
}

/** A transaction, the tunnel manager in its turn, another transaction. */
function register(world: World, process: Process, done: (wasBusy: boolean) => void): void {
  change(world, process, () => {
    const begun = world.clock.now;
    world.manager.take((release) => {
      if (world.clock.now - begun > turnMicros) {
        release();
        done(true);
        return;
      }
      world.clock.after(world.costs.manager + world.costs.roundTrip * 2, () => {
        release();
        change(world, process, () => done(false));
      });
    });
  });
}

function spread(times: number[]): { p50: number; p99: number } {
  return { p50: quantile(times, 0.5), p99: quantile(times, 0.99) };
}
