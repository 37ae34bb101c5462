import { titlesOf } from '../../box/app-files/titles.ts';
import { listApps } from '../../box/apps/list-apps.ts';
import type { BoxPorts } from '../../box/ports.ts';
import type { ConsoleHandlers } from '../service.ts';

export function appsHandlers(box: BoxPorts): Pick<ConsoleHandlers, 'listRooms'> {
  return {
    listRooms: async () => {
      const { failure } = await box.observer.look();
      const titles = titlesOf(box);
      const apps = listApps(box).map((app) => ({
        name: app.name,
        title: titles.get(app.name) ?? app.name,
        icon_svg: app.ok ? app.icon_svg : null,
        state: app.state,
        state_detail: app.state_detail,
      }));
      return { status: 200 as const, body: { apps, docker_problem: failure?.message ?? '' } };
    },
  };
}
