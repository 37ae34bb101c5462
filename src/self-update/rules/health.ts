/** The answer of a server, with its header `Server`. `problem`: why there was none; `null` if there was one. */
export type Answer = { status: number; server: string; problem: string | null };

export type Look = {
  /** Milliseconds since the first observation. */
  at: number;
  /** State and main process of its unit. */
  state: string;
  pid: number;
  /** Number of automatic restarts by the service manager. */
  restarts: number;
  answer: Answer;
};

/** The same process has to answer for this time, because a server that ends soon after its start is not healthy. */
export const steadyMs = 3000;
/** After this number of automatic restarts, the version counts as not healthy. */
const mostRestarts = 3;

/** The health of a version, from all observations since its restart. choice/box/365 */
export function judgeHealth(looks: readonly Look[], version: string): 'healthy' | 'ended' | 'not yet' {
  const last = looks.at(-1);
  if (last === undefined) return 'not yet';
  if (['failed', 'inactive'].includes(last.state) || last.restarts >= mostRestarts) return 'ended';
  const isGood = (look: Look) =>
    look.state === 'active' && look.pid === last.pid && answerProblem(look.answer, version) === null;
  const since = looks.slice(looks.findLastIndex((look) => !isGood(look)) + 1);
  return since[0] !== undefined && last.at - since[0].at >= steadyMs ? 'healthy' : 'not yet';
}

/** The reason why an answer is wrong, as the end of a sentence; `null` if it is a correct answer of the version. */
export function answerProblem(answer: Answer, version: string): string | null {
  const { server, status, problem } = answer;
  if (problem !== null) return `does not answer: ${problem}`;
  if (server !== `boxgate/${version}`) return `answers as ${JSON.stringify(server)}`;
  return status < 500 ? null : `answers with status ${status}`;
}

/** The reason why a version is not healthy, as the end of a sentence. Derived from the last observation. */
export function whyUnhealthy(looks: readonly Look[], version: string): string {
  const last = looks.at(-1);
  if (last === undefined) return 'was not looked at';
  if (last.state !== 'active' || last.restarts > 0) return 'starts and then ends';
  return answerProblem(last.answer, version) ?? 'does not keep on answering';
}
