import { type Room, type Row, warning } from '../report.ts';
import { sizeText } from '../rules/text/amounts.ts';
import { measureApp, measureApps } from './measure.ts';
import type { LogsBox } from './ports.ts';

export function measuresRoom(box: LogsBox): Room {
  return {
    path: 'measures/',
    async read(name) {
      const { usage, data, problems } = await measureApp(box, name);
      const used = usage.map(
        ({ container, processorPercent, memoryBytes }): Row => ({
          text: container,
          facts: [`${processorPercent} % of one processor, ${sizeText(memoryBytes)} of memory.`],
        }),
      );
      const sizes = data.map(({ kind, name: one, path, bytes = 0, isWhole = false }): Row => {
        const own = kind === 'app folder' ? ', the folder of the app' : '';
        const size = `${isWhole ? '' : 'More than '}${sizeText(bytes)}${own}.`;
        return { text: kind === 'volume' ? `Data in Docker: ${one}` : path, facts: [size] };
      });
      return { title: 'Measured.', sections: [{ rows: [...problems.map(warning), ...used, ...sizes] }] };
    },
  };
}

/** What all apps use now: a row each, whose text is the name of the app. */
export function useRoom(box: LogsBox): Room {
  return {
    path: 'use',
    async read() {
      const apps = await measureApps(box);
      const rows = apps.map(({ name: text, processorPercent, memoryBytes, dataBytes }): Row => {
        const use = `${sizeText(memoryBytes)} of memory, ${Math.round(processorPercent)} % of one processor`;
        const data = dataBytes === null ? [] : [`${sizeText(dataBytes)} of data`];
        return { text, facts: [...(memoryBytes === 0 ? [] : [use]), ...data] };
      });
      return { title: 'Use', sections: [{ rows }] };
    },
  };
}
