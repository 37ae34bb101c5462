import { titlesOf } from '../../app-files/catalogue.ts';
import { dockerNotice, type Room, type Row, roomOf } from '../../report.ts';
import { listApps } from '../list-apps.ts';
import type { AppsBox } from '../ports.ts';

/** The entry: all installed apps. */
export function appsRoom(box: AppsBox): Room {
  return {
    path: 'apps',
    title: 'Apps',
    async read() {
      await box.states.firstPicture();
      const titles = titlesOf(box);
      const apps = listApps(box);
      const [first] = apps;
      const isDown = apps.every(({ state, state_detail: why }) => state === 'unknown' && why === first?.state_detail);
      const down = isDown ? first?.state_detail : undefined;
      const rows = apps.map((app): Row => {
        const shown = {
          text: titles.get(app.name) ?? app.name,
          href: `#/${roomOf('apps', app.name)}`,
          icon: app.ok ? app.icon_svg : null,
          ...(app.ok && app.icon_url !== undefined ? { icon_url: app.icon_url } : {}),
        };
        return down === undefined ? { ...shown, state: app.state, facts: [app.state_detail] } : shown;
      });
      const none: Row = { is: 'note', text: 'No app is installed.', link: { text: 'Install one', href: '/apps' } };
      if (down !== undefined) rows.unshift(dockerNotice(down));
      return { sections: [{ rows: apps.length === 0 ? [none] : rows }] };
    },
  };
}
