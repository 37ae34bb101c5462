import { type Room, type Row, warning } from '../report.ts';
import { sizeText } from '../rules/text/amounts.ts';
import { measureApp } from './measure.ts';
import type { LogsBox } from './ports.ts';

/** What an app uses now. */
export function measuresRoom(box: LogsBox): Room {
  return {
    path: 'measures/',
    async read(name) {
      const { usage, data, problems } = await measureApp(box, name);
      const used = usage.map(
        ({ container, processor_percent: percent, memory_bytes: memory }): Row => ({
          text: container,
          facts: [`${percent} % of one processor, ${sizeText(memory)} of memory.`],
        }),
      );
      const sizes = data.map(({ kind, name: one, path, bytes = 0, isWhole = false }): Row => {
        const own = kind === 'app folder' ? ', the folder of the app' : '';
        const size = `${isWhole ? '' : 'More than '}${sizeText(bytes)}${own}.`;
        return { text: kind === 'volume' ? `Volume ${one}` : path, facts: [size] };
      });
      return { title: 'Measured.', sections: [{ rows: [...problems.map(warning), ...used, ...sizes] }] };
    },
  };
}
