import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { ChangeEntry, Journal } from './journal.ts';

export type ServerMetrics = {
  registry: Registry;
  /** Counts a change. */
  changed: Journal;
  /** A gauge whose value is looked up at each scrape; it has no value where `read` finds none. */
  gauge(name: string, help: string, read: () => Promise<number | null> | number | null): void;
  /** The same with one label; the values that `read` leaves out are gone. */
  gauges(
    name: string,
    help: string,
    label: string,
    read: () => Promise<ReadonlyMap<string, number>> | ReadonlyMap<string, number>,
  ): void;
  /** A counter with one label or none; the result adds one. */
  counter(name: string, help: string, label?: string): (value?: string) => void;
};

/** From a settings change without effect to an image of some gigabytes, in seconds. */
const buckets = [0.1, 0.5, 1, 2, 5, 10, 30, 60, 300, 900];

/**
 * The metrics that both servers have. Loaded only when metrics are asked for. Labels are verbs, results and states out
 * of fixed sets: never a name that somebody else chose.
 */
export function makeServerMetrics(service: 'box' | 'gateway', version: string): ServerMetrics {
  const registry = new Registry();
  const registers = [registry];
  const prefix = `boxgate_${service}`;
  collectDefaultMetrics({ register: registry });
  new Gauge({
    name: `${prefix}_info`,
    help: 'Always 1; the labels tell the version of the software and of Node.js.',
    labelNames: ['version', 'node_version'],
    registers,
  }).set({ version, node_version: process.versions.node }, 1);
  const changes = new Counter({
    name: `${prefix}_changes_total`,
    help: 'Changes that have ended, by operation and result (ok, failed, refused).',
    labelNames: ['operation', 'result'],
    registers,
  });
  const durations = new Histogram({
    name: `${prefix}_change_duration_seconds`,
    help: 'How long changes took, their wait for their turn included.',
    labelNames: ['operation'],
    buckets,
    registers,
  });

  return {
    registry,
    changed({ operation, outcome, durationMs }: ChangeEntry) {
      changes.inc({ operation, result: outcome });
      durations.observe({ operation }, durationMs / 1000);
    },
    gauge(name, help, read) {
      const gauge: Gauge = new Gauge({
        name: `${prefix}_${name}`,
        help,
        registers,
        async collect() {
          const value = await read();
          if (value === null) gauge.remove();
          else gauge.set(value);
        },
      });
    },
    gauges(name, help, label, read) {
      const gauge: Gauge = new Gauge({
        name: `${prefix}_${name}`,
        help,
        labelNames: [label],
        registers,
        async collect() {
          const counts = await read();
          gauge.reset();
          for (const [value, count] of counts) gauge.set({ [label]: value }, count);
        },
      });
    },
    counter(name, help, label) {
      const labelNames = label === undefined ? [] : [label];
      const counter = new Counter({ name: `${prefix}_${name}`, help, labelNames, registers });
      return (value = '') => counter.inc(label === undefined ? {} : { [label]: value });
    },
  };
}

/** Calls that come while one is under way share its result. */
export function shared<Value>(read: () => Promise<Value>): () => Promise<Value> {
  let underWay: Promise<Value> | null = null;
  return () => {
    underWay ??= read().finally(() => {
      underWay = null;
    });
    return underWay;
  };
}
