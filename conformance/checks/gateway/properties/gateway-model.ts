/**
 * A gateway as plain data, as the requirements describe it: the boxes, their tokens and their routes, and the result of
 * every request. Places and labels replace real ids, tokens and subdomains, which the test driver keeps. The model
 * leaves out texts, hosts, timing and files.
 */
export type GatewayModel = {
  boxLimit: number;
  routeLimit: number;
  /** Indexed by place. The token of a deregistered box is kept and refused. */
  boxes: readonly (ModelBox | null)[];
  routes: readonly ModelRoute[];
};

type ModelBox = { live: boolean };
export type ModelRoute = { place: number; label: string; port: number };

/**
 * A place is an index of `boxes`. `owner` is the place of the unpublished route's box, which may not be the caller's.
 */
export type Command =
  | { act: 'register'; place: number }
  | { act: 'heartbeat' | 'rotate' | 'deregister' | 'list'; place: number }
  | { act: 'heartbeatOfOther' | 'staleHeartbeat'; place: number; other: number }
  | { act: 'publish'; place: number; label: string; port: number }
  | { act: 'unpublish'; place: number; label: string };

/** The statuses that the requirements allow. There are several if the order of two refusals is open. */
export type ModelStep = { allowed: number[]; after: GatewayModel };

export const emptyGateway = (boxLimit: number, routeLimit: number, places: number): GatewayModel => ({
  boxLimit,
  routeLimit,
  boxes: Array.from({ length: places }, () => null),
  routes: [],
});

export const isLive = (model: GatewayModel, place: number) => model.boxes[place]?.live === true;

export const routesOf = (model: GatewayModel, place: number) => model.routes.filter((route) => route.place === place);

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
