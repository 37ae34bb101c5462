/**
 * A gateway as its requirements describe it, as plain data: which boxes live, which token speaks for each, which
 * routes there are, and what every request is answered. It knows places and labels in the stead of real ids, tokens
 * and subdomains; who drives it keeps those. Texts and hosts follow from it, timing and files do not.
 */
export type GatewayModel = {
  boxLimit: number;
  routeLimit: number;
  /** By place. A box that is gone leaves its token behind, which is refused from then on. */
  boxes: readonly (ModelBox | null)[];
  routes: readonly ModelRoute[];
};

type ModelBox = { live: boolean };
export type ModelRoute = { place: number; label: string; port: number };

/** A place is where a box may be; the `owner` of a route that is taken back may be another place than the caller's. */
export type Command =
  | { act: 'register'; place: number }
  | { act: 'heartbeat' | 'rotate' | 'deregister' | 'list'; place: number }
  | { act: 'heartbeatOfOther' | 'staleHeartbeat'; place: number; other: number }
  | { act: 'publish'; place: number; label: string; port: number }
  | { act: 'unpublish'; place: number; label: string };

/** The statuses that the requirements allow; several where they leave the order of two refusals open. */
export type ModelStep = { allowed: number[]; after: GatewayModel };

export const emptyGateway = (boxLimit: number, routeLimit: number, places: number): GatewayModel => ({
  boxLimit,
  routeLimit,
  boxes: Array.from({ length: places }, () => null),
  routes: [],
});

export const isLive = (model: GatewayModel, place: number) => model.boxes[place]?.live === true;

export const routesOf = (model: GatewayModel, place: number) =>
  model.routes.filter((route) => route.place === place);

export function step(model: GatewayModel, command: Command): ModelStep {
  const refuse = (...allowed: number[]): ModelStep => ({ allowed, after: model });
  const done = (status: number, change: Partial<GatewayModel> = {}): ModelStep => ({
    allowed: [status],
    after: { ...model, ...change },
  });
  const { place } = command;
  const put = (box: ModelBox) => model.boxes.map((one, index) => (index === place ? box : one));
  if (command.act === 'register') {
    const live = model.boxes.filter((box) => box?.live).length;
    return live < model.boxLimit ? done(201, { boxes: put({ live: true }) }) : refuse(403);
  }
  if (!isLive(model, place)) return refuse(401);
  const others = model.routes.filter((route) => route.place !== place);
  switch (command.act) {
    case 'heartbeat':
    case 'rotate':
    case 'list':
      return done(200);
    case 'staleHeartbeat':
      return refuse(401);
    case 'heartbeatOfOther':
      return command.other === place ? done(200) : refuse(403);
    case 'deregister':
      return done(200, { boxes: put({ live: false }), routes: others });
    case 'unpublish': {
      const isIt = (route: ModelRoute) => route.place === place && route.label === command.label;
      const rest = model.routes.filter((route) => !isIt(route));
      return rest.length < model.routes.length ? done(200, { routes: rest }) : refuse(404);
    }
    case 'publish': {
      const { label, port } = command;
      const isTaken = model.routes.some((route) => route.label === label);
      const isFull = routesOf(model, place).length >= model.routeLimit;
      if (isTaken || isFull) return refuse(...(isTaken ? [409] : []), ...(isFull ? [403] : []));
      return done(201, { routes: [...model.routes, { place, label, port }] });
    }
  }
}
