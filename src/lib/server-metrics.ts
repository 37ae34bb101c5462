import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ChangeEntry } from './journal.ts';

type Read<Value> = Promise<Value> | Value;
type Counted = { labels: Record<string, string>; value: number };

export type ServerMetrics = ReturnType<typeof makeServerMetrics>;

/** Seconds, from a settings change without effect to an image of some gigabytes. */
const buckets = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900];

/**
 * The metrics of both servers. Loaded only when metrics are asked for. Labels are verbs, results and states from fixed
 * sets, ids of boxes and routes, and the names of installed apps; never a name that a request chose.
 */
export function makeServerMetrics(service: 'box' | 'gateway', version: string) {
  const registry = new Registry();
  const named = (name: string, help: string) => ({ name: `boxgate_${service}_${name}`, help, registers: [registry] });
  collectDefaultMetrics({ register: registry });
  new Gauge({
    ...named('info', 'Always 1; the labels tell the version of the software and of Node.js.'),
    labelNames: ['version', 'node_version'],
  }).set({ version, node_version: process.versions.node }, 1);
  const changes = new Counter({
    ...named('changes_total', 'Changes that have ended, by operation and result (ok, failed, refused).'),
    labelNames: ['operation', 'result'],
  });
  const durations = new Histogram({
    ...named('change_duration_seconds', 'How long changes took, their wait for their turn included.'),
    labelNames: ['operation'],
    buckets,
  });

  return {
    registry,
    changed({ operation, outcome, durationMs }: ChangeEntry) {
      changes.inc({ operation, result: outcome });
      durations.observe({ operation }, durationMs / 1000);
    },
    /** A gauge whose value is read at each scrape. It has no value while `read` returns none. */
    gauge(name: string, help: string, read: () => Read<number | null>) {
      const gauge: Gauge = new Gauge({
        ...named(name, help),
        async collect() {
          const value = await read();
          if (value === null) gauge.remove();
          else gauge.set(value);
        },
      });
    },
    /** Like `gauge`, with one label. A value that `read` leaves out disappears. */
    gauges(name: string, help: string, label: string, read: () => Read<ReadonlyMap<string, number>>) {
      const gauge: Gauge = new Gauge({
        ...named(name, help),
        labelNames: [label],
        async collect() {
          const counts = await read();
          gauge.reset();
          for (const [value, count] of counts) gauge.set({ [label]: value }, count);
        },
      });
    },
    /** Counters that another program keeps; their values are read at each scrape. */
    counters(name: string, help: string, labelNames: readonly string[], read: () => Read<readonly Counted[]>) {
      const counter: Counter = new Counter({
        ...named(name, help),
        labelNames,
        async collect() {
          const values = await read();
          counter.reset();
          for (const { labels, value } of values) counter.inc(labels, value);
        },
      });
    },
    /** A counter with one label or none. The result increments it. */
    counter(name: string, help: string, label?: string) {
      const labelNames = label === undefined ? [] : [label];
      const counter = new Counter({ ...named(name, help), labelNames });
      return (value = '') => counter.inc(label === undefined ? {} : { [label]: value });
    },
  };
}
