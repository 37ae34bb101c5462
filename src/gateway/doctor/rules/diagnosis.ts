import type { HostAnswer as Answer } from '../../../lib/network/host-answer.ts';
import { shownName } from '../../../lib/shown-text.ts';
import type { BoxRecord, PeerOfBox, PeerState, RemovedByOperator } from '../../ports.ts';
import { isPeerName, isPeerOf } from '../../rules/ids.ts';
import { routeFileName } from '../../rules/route-file.ts';
import { hasPeer, type Network } from '../../rules/tunnel-config.ts';

/** The proxy's answer for one published host. `isBehindLogin`: `status` is what the app answers behind its login. */
export type HostAnswer = Omit<Answer, 'server' | 'date' | 'text'> & { isBehindLogin?: true };

/**
 * The observed state from the boxes to the proxy. The maps have ids of boxes as keys: `files` the content of each route
 * file, `expectedFiles` that of boxes with routes, `reserved` the published hosts whose subdomain is reserved.
 */
export type Observation = {
  now: number;
  network: Network;
  boxes: readonly BoxRecord[];
  removedBoxes: readonly RemovedByOperator[];
  /** `null` if the tunnel manager did not answer. */
  peers: readonly PeerState[] | null;
  pendingDeletions: readonly PeerOfBox[];
  files: ReadonlyMap<string, string>;
  expectedFiles: ReadonlyMap<string, string>;
  answers: ReadonlyMap<string, readonly HostAnswer[]>;
  /** Whether the proxy's API has shown which routes it has. */
  hasProxyState: boolean;
  reserved: ReadonlyMap<string, readonly string[]>;
};

/**
 * Something that does not match. `topic` is the same for the same thing in every examination, and of no other thing; `text`
 * says what was found and what to do. `isOfBox`: the gateway may be well, because the box is off or its owner has something
 * to do.
 */
export type Finding = { topic: string; about: string; text: string; isOfBox?: true };
/** `topic`: what of the box it is about. */
type Found = Omit<Finding, 'about'>;

const ofBox = (topic: string, text: string): Found => ({ topic, text, isOfBox: true });
const ofGateway = (topic: string, text: string): Found => ({ topic, text });

/** An active tunnel has a handshake every two minutes, because its keep-alive is 25 s. */
const quietTunnelMs = 5 * 60_000;
/** Boxes send a heartbeat a minute. */
const quietBoxMs = 10 * 60_000;

/** Compares each box with its peer, its route file and the proxy's answers. */
export function diagnose(seen: Observation): Finding[] {
  return [...seen.boxes.flatMap((box) => findingsOf(box, seen)), ...removedFindings(seen), ...leftoverFindings(seen)];
}

function removedFindings({ removedBoxes, now }: Observation): Finding[] {
  return removedBoxes
    .filter(({ heardAt }) => isRecent(heardAt, now, quietBoxMs))
    .map(({ id, name }) => ({
      topic: `${id}: removed`,
      about: `${id} (${shownName(name)})`,
      text: 'this gateway does not know the box any more, because it was removed here, and the box goes on sending: run `boxgate tunnel leave` on it, then join',
      isOfBox: true,
    }));
}

function findingsOf(box: BoxRecord, seen: Observation): Finding[] {
  const finding = (found: Found): Finding => ({
    ...found,
    topic: `${box.id}: ${found.topic}`,
    about: `${box.id} (${shownName(box.name)})`,
  });
  if (box.state === 'pending') {
    const text = 'its registration is under way, or was cut short and is cleared away within a minute';
    return [finding(ofBox('registration', text))];
  }
  return [
    ...heartbeatFindings(box, seen).map((text) => ofBox('heartbeat', text)),
    ...copyFindings(box, seen.now).map((text) => ofBox('copy', text)),
    ...(box.address === null ? [ofBox('address', addressLost(box.id))] : addressFindings(box, box.address, seen)),
    ...fileFindings(box.id, seen).map((text) => ofGateway('route file', text)),
    ...(seen.reserved.get(box.id) ?? []).map((host) => ofBox(`reserved ${host}`, reservedFinding(host))),
    ...(seen.answers.get(box.id) ?? []).flatMap((answer) => answerFindings(answer, seen.hasProxyState)),
  ].map(finding);
}

function heartbeatFindings(box: BoxRecord, { peers, now }: Observation): string[] {
  const { id, lastSeenAt } = box;
  if (lastSeenAt !== null && isRecent(lastSeenAt, now, quietBoxMs)) return [];
  const found =
    lastSeenAt === null ? 'it has sent no heartbeat yet' : `its last heartbeat was at ${timeOf(lastSeenAt)}`;
  const own = peers?.find((peer) => isPeerOf(box, peer))?.lastHandshakeAt ?? null;
  const isOn = own !== null && isRecent(own, now, quietTunnelMs);
  if (!isOn)
    return [
      lastSeenAt === null ? `${found}: is boxgate-heartbeat.timer enabled on the box?` : `${found}: is the box on?`,
    ];
  return [
    `${found}, and its tunnel is up: boxgate-heartbeat.timer is not enabled on the box, or this store does not know its token, ` +
      'because a store from before `boxgate tunnel rotate` was put back. `boxgate tunnel status` on the box tells which; if ' +
      `the token is unknown, run \`boxgate gateway boxes remove ${id}\` here, and on the box \`boxgate tunnel leave\`, then join`,
  ];
}

/** A leave on one of the two would end the registration of both. */
function copyFindings({ copiedAt, copiedFrom }: BoxRecord, now: number): string[] {
  if (copiedAt === null || !isRecent(copiedAt, now, quietBoxMs)) return [];
  return [
    `its heartbeats come from two machines in turn (from ${copiedFrom}), as after a copy of its disk or SD card, and its tunnel ` +
      'leads to one of them at a time: on the copy run `systemctl disable --now boxgate-tunnel.service boxgate-heartbeat.timer`, ' +
      'delete /var/lib/boxgate/tunnel.json, then join as a box of its own',
  ];
}

function addressLost(id: string): string {
  return (
    'it has lost its address in the tunnel to a box that came later, so its routes are withdrawn: ' +
    `remove it with \`boxgate gateway boxes remove ${id}\` and let it join again`
  );
}

function addressFindings(box: BoxRecord, address: string, { network, peers, now }: Observation): Found[] {
  const outside =
    `its address ${address} is outside of the network of the tunnels, ${network.address}/${network.prefix}, so its hosts ` +
    'may lead to a machine that is no box: set GATEWAY_TUNNEL_NETWORK to the network that wg-easy has, or remove the box';
  return [...(hasPeer(network, address) ? [] : [ofGateway('network', outside)]), ...peerFindings(box, peers, now)];
}

function peerFindings(box: BoxRecord, peers: Observation['peers'], now: number): Found[] {
  if (peers === null) return [];
  const own = peers.filter((peer) => isPeerOf(box, peer));
  const [peer] = own;
  if (peer === undefined) {
    const lost =
      `the tunnel manager has no peer ${box.peerName}: ${holderOf(box, peers) ?? 'nothing reaches the box'}; ` +
      `remove the box with \`boxgate gateway boxes remove ${box.id}\` and let it join again`;
    return [ofGateway('peer', lost)];
  }
  const several = `the tunnel manager has ${own.length} peers ${box.peerName}: delete those without traffic`;
  return [
    own.length > 1 ? [ofGateway('peers', several)] : [],
    peer.address === box.address ? [] : [ofGateway('address', otherAddress(box, peer, peers))],
    (disabledFindings(peer, now) ?? handshakeFindings(peer, now)).map((text) => ofBox('tunnel', text)),
  ].flat();
}

/** wg-easy disables an expired peer within a minute, also one that is enabled again. `null` for a peer that may be used. */
function disabledFindings({ name, enabled, expiresAt }: PeerState, now: number): string[] | null {
  if (expiresAt !== null && expiresAt <= now) {
    return [
      `its peer ${shownName(name)} expired at ${timeOf(expiresAt)}: remove the expiry date at the tunnel manager, and enable it there`,
    ];
  }
  return enabled ? null : [`its peer ${shownName(name)} is disabled at the tunnel manager: enable it there`];
}

/** wg-easy gives the address of a deleted peer to the next one. The box's hosts then lead to that peer. */
function holderOf(box: BoxRecord, peers: readonly PeerState[]): string | null {
  const holder = peers.find((peer) => peer.address === box.address && !isPeerOf(box, peer));
  if (holder === undefined) return null;
  return `its address ${box.address} belongs to the peer "${shownName(holder.name)}" now, which the visitors of its hosts reach`;
}

function otherAddress(box: BoxRecord, peer: PeerState, peers: readonly PeerState[]): string {
  const holder = holderOf(box, peers);
  return (
    `its peer has ${peer.address === null ? 'no usable IPv4 address' : `the address ${peer.address}`}, its routes lead to ${box.address}` +
    `${holder === null ? '' : `: ${holder}`}: set the peer's address back`
  );
}

function handshakeFindings({ lastHandshakeAt }: PeerState, now: number): string[] {
  const advice = 'is boxgate-tunnel.service up on the box, and UDP to this gateway open?';
  if (lastHandshakeAt === null) {
    return [
      'its tunnel has had no handshake since the tunnel manager was started: ' +
        `if that was less than three minutes ago, look again then; if not, ${advice}`,
    ];
  }
  if (isRecent(lastHandshakeAt, now, quietTunnelMs)) return [];
  return [`its tunnel's last handshake was at ${timeOf(lastHandshakeAt)}: ${advice}`];
}

function fileFindings(boxId: string, { files, expectedFiles }: Observation): string[] {
  const file = routeFileName(boxId);
  const advice = 'restart the gateway, which brings the files in line at its start';
  const expected = expectedFiles.get(boxId);
  const found = files.get(boxId);
  if (expected === found) return [];
  if (found === undefined) return [`its route file ${file} is missing: ${advice}`];
  if (expected === undefined) return [`it has no routes and yet a route file ${file}: ${advice}`];
  return [`its route file ${file} is not what its routes make: ${advice}`];
}

function reservedFinding(host: string): string {
  return `${host}: the subdomain is reserved, and was published before it was: the box's owner takes it back with \`boxgate tunnel unpublish ${host}\``;
}

function answerFindings(answer: HostAnswer, hasProxyState: boolean): Found[] {
  const { host, problem, isLate, distrust } = answer;
  const topic = `https://${host}`;
  if (problem !== null && !isLate) return [ofGateway(topic, `${host}: the proxy gives no answer: ${problem}`)];
  const found = appFinding(answer, topic);
  return [
    ...(found === null ? [] : [found]),
    ...(found === null && answer.status === 404 && !hasProxyState ? [ofGateway(topic, notFound(host))] : []),
    ...(distrust === null
      ? []
      : [
          ofGateway(
            `${topic} certificate`,
            `${host}: browsers do not trust its certificate (${distrust}): see the proxy's log`,
          ),
        ]),
  ];
}

/** An app that does not answer the proxy; `null` if it does. */
function appFinding({ host, status, problem, isBehindLogin }: HostAnswer, topic: string): Found | null {
  const behind = isBehindLogin === true ? ' behind the login' : '';
  if (status === 502) {
    const text = `${host}: 502${behind}, the proxy does not reach the app: does it run, and listen on more than 127.0.0.1 of the box?`;
    return ofBox(topic, text);
  }
  if (status !== 504 && problem === null) return null;
  const found = problem ?? `504${behind}`;
  return ofBox(
    topic,
    `${host}: ${found}, the app or the box does not answer: does the app run, is the box on, and the tunnel up?`,
  );
}

/**
 * What the proxy would answer for a host without its login.
 * @param answer - the proxy's, which asks for the login or refuses the network
 * @param app - the app's own, through the tunnel
 */
export function behindLogin(
  answer: HostAnswer,
  { status, problem, isLate }: Pick<HostAnswer, 'status' | 'problem' | 'isLate'>,
): HostAnswer {
  const isSilent = isLate || silences.some((code) => problem?.startsWith(code));
  const found = problem === null ? status : isSilent ? 504 : 502;
  return { ...answer, status: found, isBehindLogin: true };
}

/** Problems with which a connection gets no answer at all, rather than a refusal. */
const silences = ['it took longer', 'ETIMEDOUT', 'EHOSTUNREACH', 'ENETUNREACH'];

function notFound(host: string): string {
  return `${host}: 404, from the app or because the proxy does not have the route: its log says whether it reads the directory`;
}

/** Peers and route files of no existing box. A person may have given another peer a name like that of a box's. */
function leftoverFindings({ boxes, peers, pendingDeletions, files }: Observation): Finding[] {
  const boxIds = new Set(boxes.map(({ id }) => id));
  const isOfBox = (peer: PeerState) => boxes.some((box) => isPeerOf(box, peer));
  const waits = (peer: PeerState) => pendingDeletions.some((deletion) => isPeerOf(deletion, peer));
  return [
    ...(peers ?? [])
      .filter((peer) => !isOfBox(peer) && (waits(peer) || isPeerName(peer.name)))
      .map((peer) => ({
        topic: `peer ${peer.publicKey ?? peer.name}`,
        about: `peer ${shownName(peer.name)}`,
        text: waits(peer)
          ? 'it belongs to no box any more; the gateway removes it as soon as the tunnel manager lets it'
          : 'no box of this store has it: it is of another gateway, or of a box that joined after this store was saved; on that box, run `boxgate tunnel leave`, then join',
      })),
    ...[...files.keys()]
      .filter((boxId) => !boxIds.has(boxId))
      .map((boxId) => ({
        topic: `file of ${boxId}`,
        about: `file ${shownName(routeFileName(boxId))}`,
        text: 'no box has it: restart the gateway',
      })),
  ];
}

/** A time in the future was written with a wrong clock, and says nothing. */
function isRecent(at: number, now: number, withinMs: number): boolean {
  return Math.abs(now - at) <= withinMs;
}

function timeOf(milliseconds: number): string {
  return new Date(milliseconds).toISOString();
}
