/** Mutants that no check notices, by key, each with a reason. Whoever adds one has looked at what it does. */
type Reasons = Readonly<Record<string, string>>;

/** No input makes a difference. */
const sameServer: Reasons = {
  'src/box/catalogue.ts | function isSame(a: Stamp | null, b: Stamp | null): boolean { | { if (a === null || b === null) return a === b; return a.cti … ize && a.ino === b.ino; } → {}':
    'never equal: each file is read anew, which is slower and answers the same',
  'src/box/catalogue.ts | return before.icon === null || isSame(before.iconStamp, fold … ntry.name, before.icon)); | before.icon === null || isSame(before.iconStamp, folders.sta … entry.name, before.icon)) → false':
    'never current: each file is read anew, which is slower and answers the same',
  'src/box/list-apps.ts | if (before !== undefined) return before; | before !== undefined → false':
    'nothing is remembered: it is made again',
  'src/box/rules/placeholder.ts | /^your[-_].+$/s, | /^your[-_].+$/s → /^your[-_].+/s':
    '`.+` takes the rest of the text, line ends too',
  'src/box/secrets.ts | if (passwords.length === 0) return []; | passwords.length === 0 → false':
    'without passwords there are no secrets either way',
  'src/gateway/adapters/session-keeper.ts | kept = { sealed, session: sealed === null ? null : parseSess … ait seal.open(sealed)) }; | sealed === null → false':
    'nothing opens to nothing',
  "src/gateway/register-box.ts | if (boxToken !== null && boxToken !== '' && tokens.areEqual(boxToken, token)) return; | boxToken !== '' → true":
    'an empty text equals no token',
  'src/gateway/store/bounded-cache.ts | if (old !== undefined) this.set(key, old); | old !== undefined → false':
    'a value that is used may be forgotten earlier: it is read again',
  "src/gateway/store/schema.ts | else if (version < known.length) yield* query('UPDATE schema … ion = $1', known.length); | version < known.length → version <= known.length":
    'the version that stands there is written once more',
  'src/gateway/store/sqlite-database.ts | if (known !== undefined) return known; | known !== undefined → false':
    'a statement is prepared once more',
  'src/gateway/store/sqlite-store.ts | commits.flush(); | commits.flush(); → ;':
    'closing waits for what is under way; a change that was answered is committed already',
  'src/gateway/store/sqlite-store.ts | routesOf.set(boxId, list); | routesOf.set(boxId, list); → ;':
    'nothing is remembered: it is read again',
  "src/http/listen.ts | socket.on('error', () => socket.destroy()); | () => socket.destroy() → () => undefined":
    'Node closes a socket that failed by itself',
  'src/http/reply.ts | if (content.length > longestText) content.bytes = Buffer.from(content.bytes); | content.length > longestText → content.length >= longestText':
    'text or bytes of it: the same goes out',
};

/** Nothing that a client, an owner, an engine or a neighbour sees, or only in what the unit tests alone can stage. */
const notSeen: Reasons = {
  'src/box/adapters/compose.ts | if (error instanceof ContainersFailed && !error.unreachable) … ew Map<string, string>(); | error instanceof ContainersFailed && !error.unreachable → error instanceof ContainersFailed || !error.unreachable':
    'an engine that cannot inspect one image of several: the unit tests of the adapter have it',
  "src/box/adapters/docker-failure.ts | .filter((line) => line !== ''); | line !== '' → line === ''":
    "which line of what Docker said an action's detail shows",
  'src/box/adapters/docker-output.ts | return { ...listed, ...identityOf(labelsOf(inspected?.Config?.Labels ?? {})) }; | inspected?.Config → inspected.Config':
    'an engine that inspects a container and answers without its configuration',
  'src/box/adapters/install-journal.ts | async function putBackStep(step: JournalStep, index: number, … Journal): Promise<void> { | { const target = join(directory, step.path); const isDone =  … ectory, step.keepAs))); } → {}':
    'a crash between two steps of an install that replaces files: the unit tests of the journal do that',
  'src/box/adapters/install-journal.ts | if (look(journal.directory)?.isDirectory()) { | look(journal.directory)?.isDirectory → look(journal.directory).isDirectory':
    'the directory has to go between a crash and the next start: the unit tests of the journal do that',
  'src/box/adapters/release-feed.ts | if (length > maxFeedBytes) throw tooLarge(url); | length > maxFeedBytes → length >= maxFeedBytes':
    'a feed of exactly the largest size, which no document fixes',
  'src/box/adapters/release-feed.ts | if (stats.size > maxFeedBytes) throw tooLarge(url); | stats.size > maxFeedBytes → false':
    'the size is asked before the file is read, and counted again while it is',
  'src/box/adapters/storage.ts | return new StorageFailed(`${doing}: ${sentences[code] ?? (co … ge)}`, { cause: error }); | code || message → true':
    'only the wording of the reason follows from it',
  'src/box/adapters/trash.ts | return a.removedAt.getTime() - b.removedAt.getTime() || (a.id < b.id ? -1 : 1); | a.removedAt.getTime() - b.removedAt.getTime() → a.removedAt.getTime() + b.removedAt.getTime()':
    'the order of `boxgate box trash list`, another command than the server',
  "src/box/adapters/trash.ts | } catch (error) { | { // Two mounts of one file system look alike and are apart. … = 'EXDEV') throw error; } → {}":
    'a rename that the disk refuses although it is the same file system: the unit tests have one',
  'src/box/carry-out.ts | .filter((container) => container.project === project && !container.oneOff) | container.project === project && !container.oneOff → container.project === project || !container.oneOff':
    "a Compose that says nothing of what it did: the suite's engine always says it",
  "src/box/rules/reconcile-plan.ts | if (container.state !== 'exited') return container.state; | container.state !== 'exited' → true":
    "only the wording of an action's detail follows from it",
  'src/box/running-images.ts | if (error instanceof ContainersFailed && !error.unreachable) return null; | error instanceof ContainersFailed && !error.unreachable → error instanceof ContainersFailed || !error.unreachable':
    'it asks again and gets the same failure',
  "src/box/update-commands.ts | if (end.stage === 'already running') return { status: 1, tex … te is already running' }; | end.stage === 'already running' → end.stage !== 'already running'":
    'what a command of its own says on standard output, to nobody but its unit',
  "src/gateway/adapters/tunnel-manager-peers.ts | if (!(error instanceof WgEasyError && error.fault === 'serverError')) throw error; | !(error instanceof WgEasyError && error.fault === 'serverError') → false":
    'another failure of the manager while a peer is looked for: it ends in the same refusal',
  'src/gateway/adapters/tunnel-manager-peers.ts | if (!(error instanceof WgEasyError) || withoutEffect.has(error.fault)) throw error; | !(error instanceof WgEasyError) || withoutEffect.has(error.fault) → false':
    'looks for a peer that cannot be there, finds none, and says the same',
  "src/gateway/adapters/wg-easy-answers.ts | return answer.status === 200 && typeof parseFields(answer.body)?.username === 'string'; | answer.status === 200 → true":
    "a refusal that holds the user's name, which none of the versions sends",
  'src/gateway/adapters/wg-easy-refusals.ts | if (answer.status >= 300 && answer.status < 400) return redirect(answer); | answer.status < 400 → true':
    'only the wording of the reason follows from it',
  "src/gateway/adapters/wg-easy-refusals.ts | return new WgEasyError('shortPassword', words); | 'shortPassword' → \"\"":
    'only the wording of the reason follows from it',
  'src/gateway/heartbeats.ts | if (i > 0) await pause(0); | i > 0 → false':
    'lets other requests in between; what is written is the same',
  "src/http/listen.ts | const packet = rawPacket?.toString('latin1') ?? ''; | rawPacket?.toString → rawPacket.toString":
    'the type says that it can be absent; with a packet that cannot be parsed it is there',
  "src/lib/lock.ts | child.on('error', (error: NodeJS.ErrnoException) => { | { const missing = error.code === 'ENOENT'; reject(missing ?  … use: error }) : error); } → {}":
    'a machine without `flock`: the unit tests take it off the path',
};

/** Somebody outside can tell: a check is missing. */
const missing: Reasons = {
  'src/box/adapters/install-records.ts | return a.size === b.size && [...a].every(([path, digest]) => b.get(path) === digest); | b.get(path) === digest → false':
    'no check sees that a record which is the same is written again',
  "src/box/adapters/recovery.ts | if (code !== 'ENOENT') throw storageFailed(`cannot read the directory ${path}`, error); | code !== 'ENOENT' → false":
    'a directory of apps that is there and cannot be read, at a start: the suite runs as root',
  'src/box/reconcile.ts | containers.some(({ workingDirectory }) => workingDirectory === box.folders.path(app)), | containers.some(({ workingDirectory }) => workingDirectory === box.folders.path(app)) → containers.every(({ workingDirectory }) => workingDirectory === box.folders.path(app))':
    'no check removes an app beside another one that runs while the engine is down',
  'src/box/remove.ts | if (!(error instanceof ContainersFailed) || error.unreachable) throw error; | !(error instanceof ContainersFailed) || error.unreachable → true':
    'an engine that fails at taking down a project by name and at nothing else is in no check',
  'src/box/remove.ts | if (records.delete(name)) await box.records.save(records); | records.delete(name) → false':
    'no check installs an app again after a remove and looks whether it is brought up as new',
  'src/box/rules/compose-file.ts | restarts: over.restarts || base.restarts, | over.restarts || base.restarts → false':
    'no check has a restart policy in one Compose file and its service in another',
  "src/box/rules/dotenv-value.ts | if (name !== undefined) return lookup(name) ?? ''; | '' → \"Stryker was here!\"":
    'no check has a variable without braces that nobody has set',
  'src/box/rules/mask-secrets.ts | .sort((a, b) => b.length - a.length); | (a, b) => b.length - a.length → () => undefined':
    'two secrets of which one begins with the other are in no check',
  'src/gateway/foreign-files.ts | if (!told.has(line)) warn(line); | !told.has(line) → false':
    "no check puts a file that stops the proxy beside the gateway's and waits for the warning",
  "src/gateway/rules/harmful-file.ts | const mayBeEmpty = 'fields' in shape && shape.mayBeEmpty === true; | true → false":
    'no check has a foreign file with an empty part',
  "src/gateway/rules/harmful-file.ts | const server: Shape = { fields: { ...anything('url', 'preser … r' }, mayBeEmpty: true }; | 'url' → \"\"":
    "the field `url` of a foreign file's server is in no check: only the warning about it would differ",
  "src/http/exchange.ts | if (headers.host === undefined) return httpVersion === '1.1' ? 'no Host header' : null; | httpVersion === '1.1' → true":
    'no check sends a request of HTTP 1.0 without a Host header',
};

export const kindsOfReasons = [
  'the same server',
  'not seen from outside',
  'a check is missing',
  'not looked at yet',
] as const;
export type KindOfReason = (typeof kindsOfReasons)[number];

/** Why a mutant survives. */
export type Reason = { kind: KindOfReason; words: string };

const kind = (name: KindOfReason, reasons: Reasons): [string, Reason][] =>
  Object.entries(reasons).map(([key, words]) => [key, { kind: name, words }]);

export const survivors: ReadonlyMap<string, Reason> = new Map([
  ...kind('the same server', sameServer),
  ...kind('not seen from outside', notSeen),
  ...kind('a check is missing', missing),
]);
