import type { HostAnswer } from '../../../lib/network/host-answer.ts';

export type HostState = {
  /** `no_app`: the proxy gets no answer of the app. `only_https`: the app does not take what the proxy sends. */
  proxy: 'answers' | 'no_app' | 'not_yet' | 'only_https';
  /** The finding in the owner's words; `null` if the app answers. */
  proxy_problem: string | null;
};

/** Traefik's own page for a host that it does not know. */
const unknownHost = '404 page not found';

/** Traefik's own page for no login, or a wrong one: while it does not have a new one yet, too. */
const wrongLogin = '401 Unauthorized';

/** A name that cannot be looked up: asking again within seconds does not help. */
const noName = /^(?:ENOTFOUND|EAI_AGAIN)$/;

/** Whether the proxy itself asks for the login. */
export function asksForLogin({ status, text }: Pick<HostAnswer, 'status' | 'text'>): boolean {
  return status === 401 && text.trim() === wrongLogin;
}

/**
 * @param hasLogin - whether the request had the login of the host
 * @returns the state, and whether a later answer is not worth waiting for
 */
export function hostState(
  { status, text, problem, distrust }: Pick<HostAnswer, 'status' | 'text' | 'problem' | 'distrust'>,
  hasLogin = false,
): HostState & { isFinal: boolean } {
  const notYet = (reason: string, isFinal = false) => ({ proxy: 'not_yet', proxy_problem: reason, isFinal }) as const;
  if (problem !== null && noName.test(problem)) {
    return notYet(`this box cannot look its name up: ${problem}`, true);
  }
  if (problem !== null) return notYet(`no answer: ${problem}`);
  if (distrust !== null) return notYet(`browsers do not trust its certificate: ${distrust}`);
  if (status === 404 && text.trim() === unknownHost) return notYet('it answers 404, as for a host without a route');
  if (hasLogin && asksForLogin({ status, text })) return notYet('it does not take the new login');
  if (status === 502 || status === 504) {
    return {
      proxy: 'no_app',
      proxy_problem: `the app does not answer through the tunnel: ${status}`,
      isFinal: true,
    };
  }
  return { proxy: 'answers', proxy_problem: null, isFinal: true };
}
