/** Mutants that no check notices, by key, each with a reason. Whoever adds one has looked at what it does. */
type Reasons = Readonly<Record<string, string>>;

/** No input makes a difference. */
const sameServer: Reasons = {
  'src/gateway/store/group-commit.ts | if (group.length > 0) commitGroup(database, group); | group.length > 0 → true':
    'a commit of no change is none',
  'src/box/catalogue.ts | return now - stamp.ctimeMs > tick; | now - stamp.ctimeMs > tick → now - stamp.ctimeMs >= tick':
    'a file of exactly that age is read once more',
  "src/box/adapters/docker-output.ts | workingDirectory: container.Config?.Labels?.[label.workingDirectory] ?? '', | '' → \"Stryker was here!\"":
    'no folder of an app has either name',
  "src/gateway/adapters/session-seal.ts | return decipher.update(sealed.subarray(headBytes), undefined … + decipher.final('utf8'); | 'utf8' → \"\"":
    'bytes that are put together as text become the same text',
  "src/box/adapters/docker-output.ts | if (objects.length === 0 && text.trim() !== '') throw new Error('no container in it'); | '' → \"Stryker was here!\"":
    'a listing that tells nothing counts as one of nothing',
  'src/gateway/adapters/wg-easy-exchange.ts | progress.connected = true; | true → false (2)':
    'whoever answers was connected before',
  "src/gateway/store/sqlite-lock.ts | if (!existsSync(path)) closeSync(openSync(path, 'a', 0o600)); | !existsSync(path) → true":
    'a file that is there is opened and closed before its lock is taken',
  "src/box/remove.ts | const isEntry = name !== '' && name !== '.' && name !== '..' && !/[/\\0]/.test(name); | name !== '' && name !== '.' && name !== '..' && !/[/\\0]/.test(name) → true":
    'a directory has no entry of an empty name, of one or two dots, or with a slash',
  "src/lib/write-file.ts | const bytes = typeof data === 'string' ? Buffer.from(data) : data; | typeof data === 'string' → true":
    'bytes made of bytes are the same bytes',
  'src/box/catalogue.ts | function isSame(a: Stamp | null, b: Stamp | null): boolean { | { if (a === null || b === null) return a === b; return a.cti … ize && a.ino === b.ino; } → {}':
    'never equal: each file is read anew, which is slower and answers the same',
  'src/box/catalogue.ts | return before.icon === null || isSame(before.iconStamp, fold … ntry.path, before.icon)); | before.icon === null || isSame(before.iconStamp, folders.stamp(entry.path, before.icon)) → false':
    'never current: each file is read anew, which is slower and answers the same',
  'src/box/list-apps.ts | if (before?.bundled === bundled && before.states === states) return before.list; | before?.bundled === bundled && before.states === states → false':
    'nothing is remembered: it is made again',
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
  'src/http/match.ts | const [, before, name, after] = /^([^{]*)\\{([^}]+)\\}(.*)$/.exec(path) ?? []; | [] → ["Stryker was here"]':
    'the first of what was found is passed over, so that nothing is found either way',
  "src/box/reconcile.ts | for (const app of apps) app.hindrance ??= { kind: 'error', detail: failure.message }; | 'error' → \"\"":
    'whatever is no `skip` is an error',
  "src/self-update/rules/release.ts | const version = typeof value.version === 'string' ? valid(value.version) : null; | typeof value.version === 'string' → true":
    'what is no text is no version either',
  'src/lib/bounded-output.ts | if (forHead.length > 0) head.push(forHead); | forHead.length > 0 → forHead.length >= 0':
    'a piece without a byte changes no text',
  'src/http/reply.ts | if (response.destroyed || response.headersSent) return null; | response.destroyed || response.headersSent → false':
    'Node throws away what is written to a connection that is gone',
  'src/gateway/store/schema.ts | if (version !== null && version > known.length) { | version !== null → true':
    'a store without a version is a new one, and no version of it is too high',
  'src/box/adapters/install-files.ts | for (const folder of stagingFolders(work)) await rm(folder,  … ve: true, force: true }); | true → false (2)':
    'what is removed was listed just before',
  'src/http/reply.ts | if (Buffer.isBuffer(body)) return { type: type ?? json, byte … y, length: body.length }; | Buffer.isBuffer(body) → false':
    'text or bytes of it: the same goes out',
  'src/lib/refusal.ts | partsOf.set(text, parts); | partsOf.set(text, parts); → ;':
    'the parts of a text are not remembered: they are made again',
  'src/http/match.ts | if (before === undefined || name === undefined || after === undefined) { | before === undefined || name === undefined || after === undefined → (before === undefined || name === undefined) && after === undefined':
    'all three are found, or none',
  'src/box/adapters/docker-output.ts | const [, health] = /\\((healthy|unhealthy|health: starting)\\)/.exec(status) ?? []; | [] → ["Stryker was here"]':
    'the first of what was found is passed over, so that nothing is found either way',
  'src/box/adapters/recovery.ts | foldersWithLeftovers(directories).length > 0; | foldersWithLeftovers(directories).length > 0 → foldersWithLeftovers(directories).length >= 0':
    'what is not there is looked for once more',
  'src/box/rules/up-output.ts | return strongestFirst.indexOf(event) < strongestFirst.indexOf(before) ? event : before; | strongestFirst.indexOf(event) < strongestFirst.indexOf(before) → strongestFirst.indexOf(event) <= strongestFirst.indexOf(before)':
    'two events of one rank are the same event',
};

/** Nothing that a client, an owner, an engine or a neighbour sees, or only in what the unit tests alone can stage. */
const notSeen: Reasons = {
  "src/box/adapters/docker-output.ts | if (typeof value !== 'object' || value === null) return parseLabels(asText(value)); | value === null → false":
    'an engine that lists a `null` for the labels of a container',
  'src/box/remove.ts | if (!(error instanceof StorageFailed)) throw error; | !(error instanceof StorageFailed) → false (2)':
    'a fault of ours would be told as one of the disk',
  "src/lib/process-group.ts | function signalGroup(child: ChildProcess, signal: NodeJS.Signals): void { | { if (child.pid === undefined) return; try { process.kill(-c … 'ESRCH') throw error; } } → {}":
    'a command that takes longer than its limit of half a minute and more: the unit tests have short ones',
  'src/self-update/rules/reasons.ts | `the release feed ${address} leads to ${target}, which is not HTTPS`, | `the release feed ${address} leads to ${target}, which is not HTTPS` → ``':
    'only the wording of the reason follows from it',
  'src/gateway/store/sqlite-store.ts | const routesOf = new BoundedCache<string, readonly Route[]>( … ist) => 1 + list.length); | (list) => 1 + list.length → () => undefined':
    'how much is kept in memory',
  "src/box/adapters/docker-output.ts | labels.set(last, `${labels.get(last) ?? ''},${part}`); | '' → \"Stryker was here!\"":
    'an engine whose list of labels begins with none',
  'src/lib/run-command.ts | if (cwd !== undefined && !existsSync(cwd)) return { reason:  … cwd}`, notFound: false }; | !existsSync(cwd) → existsSync(cwd)':
    'only the wording of the reason follows from it',
  "src/box/adapters/changes.ts | if (writeSync(descriptor, name, 0, 'latin1') === name.length) return true; | true → false":
    "a name in the lock's file that only saves time",
  'src/gateway/adapters/traefik-files.ts | const calls = underWay > 1 ? inCompany : alone; | underWay > 1 → underWay <= 1':
    'which calls a change is written with: the same bytes come to the same place',
  'src/box/remove.ts | const dayMs = 24 * 60 * 60 * 1000; | 24 * 60 * 60 → 24 * 60 / 60':
    'a time of days: the unit tests have a clock',
  "src/gateway/adapters/wg-easy-exchange.ts | accept: 'application/json', | 'application/json' → \"\"":
    'what a tunnel manager is told to answer, which does so unasked',
  'src/box/rules/up-output.ts | const progressLine = /^\\W*Container\\s+(\\S+)\\s+([A-Z][a-z]+)/; | /^\\W*Container\\s+(\\S+)\\s+([A-Z][a-z]+)/ → /^\\W*Container\\s+(\\S+)\\S+([A-Z][a-z]+)/':
    'where no line of Compose is understood the engine is asked, and tells the same',
  'src/gateway/server.ts | onClosed: () => heartbeats.flush(), | () => heartbeats.flush() → () => undefined':
    'when a heartbeat was is in no answer; the unit tests have a clock',
  'src/box/running-images.ts | if (own.length === 0) return askedImages(box, project); | own.length === 0 → false':
    'a container tool that lists containers without their project: the unit tests have one',
  "src/self-update/adapters/systemd.ts | const said = error.stderrTail.trim().split('\\n').at(-1) ?? ''; | -1 → +1":
    'only the wording of the reason follows from it',
  'src/box/running-images.ts | if (error instanceof ContainersFailed && !error.unreachable) return null; | error instanceof ContainersFailed && !error.unreachable → true':
    'an engine that goes away between two questions: it is asked once more, and the answer says the same',
  'src/box/new-containers.ts | return !facts.complete || Object.values(facts.services).some(({ built }) => built); | !facts.complete → facts.complete':
    'a flag of the pull that changes nothing where nothing is built; a Compose file whose services only Compose can read: the unit tests have one',
  'src/gateway/adapters/wg-easy-refusals.ts | if (answer.status >= 500) return refusal(request, answer); | answer.status >= 500 → answer.status < 500':
    'only the wording of the reason follows from it',
  "src/gateway/store/group-commit.ts | database.all('ROLLBACK TO change', []); | 'ROLLBACK TO change' → \"\"":
    'a store whose disk refuses: the unit tests have one',
  "src/gateway/adapters/wg-easy-refusals.ts | return refusal({ method: 'POST', path }, answer); | 'POST' → \"\"":
    'only the wording of the reason follows from it',
  'src/box/adapters/trash.ts | export async function sweepTrash(directories: TrashDirectori … kFolder): Promise<void> { | { for (const folder of unfinishedRemovals(directories, work)) await rmdir(folder); } → {}':
    'an empty folder of ours that a kill in the middle of a remove leaves',
  "src/gateway/adapters/traefik-files.ts | if (!name.endsWith('.tmp')) continue; | !name.endsWith('.tmp') → true":
    'what a kill in the middle of a write leaves in a folder of ours',
  'src/box/running-images.ts | async function askedContainers(box: BoxPorts, compose: Compo … ing): Promise<string[]> { | { try { return await box.containers.serviceContainers(compos … turn []; throw error; } } → {}':
    'a container tool that lists containers without their project: the unit tests have one',
  "src/self-update/adapters/systemd.ts | return new JobFailed(said === '' ? `systemd-run ended with s … {error.status}` : said, { | said === '' → false":
    'only the wording of the reason follows from it',
  "src/self-update/adapters/systemd.ts | return process.getuid?.() === 0 ? [] : ['--user']; | ['--user'] → []":
    'a box that does not run as root: the unit tests have one',
  'src/box/remove.ts | if (!(error instanceof StorageFailed)) throw error; | !(error instanceof StorageFailed) → error instanceof StorageFailed':
    'only the wording of the reason follows from it',
  'src/box/adapters/install-files.ts | places.work.close(); | places.work.close(); → ; (3)':
    'an empty folder of ours stays until the next time',
  "src/box/rules/secret-texts.ts | return [rest, unquoted, unquoted.replace(/[\"']$/, '')]; | /[\"']$/ → /[^\"']$/":
    'a container tool that quotes a damaged line without the quotes around it, which Compose does not',
  "src/lib/run-command.ts | if (cause === 'time limit') return `took longer than ${options.timeoutMs / 1000} s`; | cause === 'time limit' → cause !== 'time limit'":
    'only the wording of the reason follows from it',
  'src/gateway/adapters/tunnel-manager-turns.ts | isLate = true; | true → false':
    'a turn that comes after half a minute of waiting: the unit tests have a clock',
  'src/gateway/store/file.ts | database?.close(); | database?.close → database.close':
    'what is thrown when a file cannot be opened as a store',
  'src/box/adapters/docker-failure.ts | const how = error.signal === null ? `status ${error.status}` : `signal ${error.signal}`; | error.signal === null → true':
    'only the wording of the reason follows from it',
  'src/gateway/rules/harmful-file.ts | const harm = harmOfShape(inside, entry, `"${name}" of ${place}`); | `"${name}" of ${place}` → ``':
    'only the wording of a warning follows from it',
  'src/lib/run-command.ts | if (child.pid !== undefined) return; // A signal that could  … ose that follows decides. | child.pid !== undefined → child.pid === undefined':
    'a signal that cannot be sent to a program: the unit tests have one that is not there',
  'src/gateway/heartbeats.ts | isScheduled = false; | false → true':
    'when a heartbeat was is in no answer; the unit tests have a clock',
  "src/box/service.ts | if (error instanceof StorageFailed) return replyOf('storageF … reason: error.message }); | error instanceof StorageFailed → true":
    'a fault of ours would be told as one of the disk',
  'src/gateway/store/schema.ts | export function* identify(dialect: Dialect): Operation<Identity> { | { const version = yield* readVersion(dialect, migrations); c …  bring it up to date`); } → {}':
    'other commands than the server',
  'src/gateway/adapters/traefik-files.ts | else await replace(boxId, path, old === null, text); | old === null → false':
    'how long a removal waits for a proxy that is reading: the unit tests have a clock',
  'src/box/adapters/install-records.ts | return a.size === b.size && [...a].every(([path, digest]) => b.get(path) === digest); | b.get(path) === digest → false':
    'the record that is there is written again, with the same bytes',
  'src/box/adapters/compose.ts | if (error instanceof ContainersFailed && !error.unreachable) … ew Map<string, string>(); | error instanceof ContainersFailed && !error.unreachable → error instanceof ContainersFailed || !error.unreachable':
    'an engine that cannot inspect one image of several: the unit tests of the adapter have it',
  'src/box/adapters/docker-output.ts | return { ...listed, ...identityOf(labelsOf(inspected?.Config?.Labels ?? {})) }; | inspected?.Config → inspected.Config':
    'an engine that inspects a container and answers without its configuration',
  'src/box/adapters/install-journal.ts | if (look(journal.directory)?.isDirectory()) { | look(journal.directory)?.isDirectory → look(journal.directory).isDirectory':
    'the directory has to go between a crash and the next start: the unit tests of the journal do that',
  "src/self-update/adapters/release-feed.ts | if (length > maxFeedBytes) fail('feedTooLarge', { address: u … , bytes: maxFeedBytes }); | length > maxFeedBytes → length >= maxFeedBytes":
    'a feed of exactly the largest size, which no document fixes',
  'src/box/adapters/trash.ts | return a.removedAt.getTime() - b.removedAt.getTime() || (a.id < b.id ? -1 : 1); | a.removedAt.getTime() - b.removedAt.getTime() → a.removedAt.getTime() + b.removedAt.getTime()':
    'the order of `boxgate box trash list`, another command than the server',
  "src/box/adapters/trash.ts | } catch (error) { | { // Two mounts of one file system look alike and are apart. … = 'EXDEV') throw error; } → {}":
    'a rename that the disk refuses although it is the same file system: the unit tests have one',
  'src/box/carry-out.ts | .filter((container) => container.project === project && !container.oneOff) | container.project === project && !container.oneOff → container.project === project || !container.oneOff':
    "a Compose that says nothing of what it did: the suite's engine always says it",
  "src/box/rules/reconcile-plan.ts | return state === 'exited' ? `stopped${status}` : state; | state === 'exited' → false":
    "only the wording of an action's detail follows from it",
  'src/box/running-images.ts | if (error instanceof ContainersFailed && !error.unreachable) return null; | error instanceof ContainersFailed && !error.unreachable → error instanceof ContainersFailed || !error.unreachable':
    'it asks again and gets the same failure',
  "src/self-update/commands.ts | if (end.stage === 'already running') return { status: 1, tex … te is already running' }; | end.stage === 'already running' → end.stage !== 'already running'":
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
  'src/box/adapters/trash.ts | restore: (id) => | (id) => onStorage(`cannot restore ${id}`, async () => { cons … r(folder); tidy(work); }) → () => undefined':
    '`boxgate box trash restore`, another command than the server',
  'src/box/adapters/compose.ts | const isWord = /^(json\\s*)+$/.test(stdout.trim()); | /^(json\\s*)+$/ → /(json\\s*)+$/':
    'engines before 23, which print a word where others print a listing: the unit tests have one',
  'src/lib/storage.ts | if (error instanceof StorageFailed) return error; | error instanceof StorageFailed → false':
    'only the wording of the reason follows from it',
  "src/gateway/store/schema.ts | else if (version < known.length) yield* query('UPDATE schema … ion = $1', known.length); | version < known.length → false":
    'a store of an earlier version, of which there is none yet: the unit tests make one',
  "src/gateway/adapters/wg-easy-exchange.ts | if (code.startsWith('HPE_')) { | code.startsWith('HPE_') → false":
    'only the wording of the reason follows from it',
  "src/box/adapters/docker-output.ts | workingDirectory: container.Config?.Labels?.[label.workingDirectory] ?? '', | container.Config?.Labels?.[label.workingDirectory] → container.Config?.Labels[label.workingDirectory]":
    'an engine that inspects a container without labels: those that are asked for have some',
  'src/box/rules/manifest.ts | return /^[aio]/.test(String(type)) ? `an ${type}` : `a ${type}`; | /^[aio]/ → /^[^aio]/':
    'an article in the wording of what is wrong with a manifest',
  "src/box/rules/manifest.ts | .replaceAll(/\\/(\\d+)/g, '[$1]') | /\\/(\\d+)/g → /\\/(\\D+)/g":
    'how the wording of what is wrong with a manifest names an element',
  'src/lib/bounded-output.ts | const mark = leftOut === 0 ? [] : [Buffer.from(`\\n… ${leftOut} bytes left out …\\n`)]; | leftOut === 0 → true':
    'a mark in the words of a program that said more than anybody reads',
  'src/lib/bounded-output.ts | if (tailLength > 2 * half) trimTail(); | tailLength > 2 * half → false':
    'memory, while a program says more than anybody reads',
  "src/gateway/boxes.ts | if (!isReplaced) refuse('invalidBoxToken'); | !isReplaced → false":
    'two rotations that were let in before either was carried out: one process seldom does that, and the unit tests do',
  "src/gateway/store/schema.ts | integer: 'BIGINT', | 'BIGINT' → \"\"":
    'what SQLite makes of the type: only PostgreSQL keeps to it, for which the suites are run apart',
  'src/gateway/heartbeats.ts | isScheduled = true; | true → false':
    'how often heartbeats are written together',
  'src/gateway/store/file.ts | if (isNew) await syncDirectory(dirname(path)); | isNew → false':
    'a power cut just after the first start',
  "src/lib/process-group.ts | const onAbort = () => end('abort'); | () => end('abort') → () => undefined":
    'a command that is given up: no server gives one up',
  'src/box/catalogue.ts | const tick = stamp.ctimeMs % 1000 === 0 ? coarseTickMs : tickMs; | stamp.ctimeMs % 1000 → stamp.ctimeMs * 1000':
    'a file system whose clock is coarse',
  "src/lib/write-file.ts | writeFileSync(temporary, data, { mode, flag: 'wx' }); | 'wx' → \"\"":
    'a file that is there already under a name made by chance',
  "src/gateway/adapters/session-keeper.ts | return isDialect(dialect) && (cookie === null || typeof cook … dialect, cookie } : null; | isDialect(dialect) && (cookie === null || typeof cookie === 'string') → true":
    'a session in the store that the gateway itself did not write',
  "src/gateway/adapters/tunnel-manager-turns.ts | if (isLate) throw busy('given up already'); | isLate → false":
    'a turn that comes after whoever waited for it was told that it is too late: the unit tests have a clock',
  'src/box/rules/reconcile-plan.ts | return stopped === undefined ? null : `its container ${stopp … {stateInWords(stopped)}`; | `its container ${stopped.name} is ${stateInWords(stopped)}` → ``':
    "only the wording of an action's detail follows from it",
  "src/box/adapters/docker-output.ts | return typeof value === 'object' && value !== null && !Array.isArray(value); | value !== null → true":
    'an engine that lists a `null`',
  'src/gateway/janitor.ts | return next === undefined ? idleMs : Math.min(idleMs, Math.max(0, next.dueAt - now())); | next === undefined → true':
    'what is due within two seconds is looked at after them',
  'src/gateway/rules/ids.ts | return peerName.slice(peerPrefix.length); | peerName.slice(peerPrefix.length) → peerName':
    'a route file that could not be taken away when its box went: the unit tests have one',
  'src/box/reconcile.ts | if (listed.failure !== null) blame(seen.apps, listed.failure); | listed.failure !== null → false':
    'each app then fails by itself, in the same words',
  'src/box/rules/up-output.ts | const progressLine = /^\\W*Container\\s+(\\S+)\\s+([A-Z][a-z]+)/; | /^\\W*Container\\s+(\\S+)\\s+([A-Z][a-z]+)/ → /^\\W*Container\\s+(\\S)\\s+([A-Z][a-z]+)/':
    'where no line of Compose is understood the engine is asked, and tells the same',
  'src/box/rules/manifest.ts | return text.length > 60 ? `${text.slice(0, 60)}…` : text; | text.length > 60 → text.length <= 60':
    'how much of a wrong value the wording of what is wrong with a manifest shows',
  'src/gateway/store/schema.ts | `CREATE TABLE route_changes ( | `CREATE TABLE route_changes ( transaction xid8 NOT NULL DEFA …  (transaction, box_id) )` → ``':
    'only PostgreSQL has the table, for which the suites are run apart',
  "src/gateway/store/open-store.ts | export async function viewStore(address: StoreAddress): Promise<StoreView> { | { switch (address.kind) { case 'memory': throw new StoreFail … esStore(address.url); } } → {}":
    'other commands than the server',
  'src/box/carry-out.ts | .filter((container) => container.project === project && !container.oneOff) | (container) => container.project === project && !container.oneOff → () => undefined':
    "a Compose that says nothing of what it did: the suite's engine always says it",
  "src/box/carry-out.ts | if (earlier.id !== container.id) return { name, service, event: 'recreated' }; | earlier.id !== container.id → earlier.id === container.id":
    "a Compose that says nothing of what it did: the suite's engine always says it",
  'src/gateway/janitor.ts | const isForGood = removed > 0 || now() - firstLook >= secondLookMs; | now() - firstLook >= secondLookMs → now() - firstLook < secondLookMs':
    'a peer that lands long after its registration was given up: the unit tests have a clock',
  "src/self-update/commands.ts | const verdict = isAvailable ? 'is available' : 'is no newer than it'; | 'is available' → \"\"":
    'what a command of its own says on standard output',
  'src/gateway/store/file.ts | export async function viewFileStore(path: string): Promise<StoreView> { | { if (!existsSync(path)) throw new StoreFailed(`there is no  … close(); throw error; } } → {}':
    'other commands than the server',
  'src/box/reconcile.ts | restarts: (service) => project.facts.services[service]?.restarts ?? true, | true → false':
    'a container of a service that the Compose file does not name, which is an orphan',
  'src/lib/bounded-output.ts | leftOut += whole.length - half; | leftOut += whole.length - half → leftOut -= whole.length - half':
    'a mark in the words of a program that said more than anybody reads',
  'src/gateway/adapters/tunnel-manager-turns.ts | const timer = setTimeout(() => { | { isLate = true; tooLate.reject(busy(`no turn within ${Math. … s.waitMs / 1000)} s`)); } → {}':
    'who waited too long for a turn: the unit tests have a clock',
  'src/gateway/adapters/tunnel-manager-turns.ts | tooLate.reject(busy(`no turn within ${Math.round(limits.waitMs / 1000)} s`)); | tooLate.reject(busy(`no turn within ${Math.round(limits.waitMs / 1000)} s`)); → ;':
    'who waited too long for a turn: the unit tests have a clock',
  'src/lib/process-group.ts | try { | { process.kill(-child.pid, signal); } → {}':
    'a command that takes longer than its limit of half a minute and more: the unit tests have short ones',
  "src/lib/process-group.ts | killTimer = setTimeout(() => signalGroup(child, 'SIGKILL'), graceMs); | () => signalGroup(child, 'SIGKILL') → () => undefined":
    'a command that takes longer than its limit of half a minute and more: the unit tests have short ones',
  "src/box/adapters/trash.ts | const [{ name } = { name: '' }] = readEntry(folder); | { name: '' } → {}":
    '`boxgate box trash restore`, another command than the server',
  'src/box/rules/actions.ts | .sort(([a], [b]) => (a < b ? -1 : 1)) | -1 → +1':
    "the order of an app's services among its actions, which no document fixes",
  "src/box/adapters/work-folder.ts | if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error; | (error as NodeJS.ErrnoException).code !== 'EEXIST' → false":
    'a folder that somebody else makes in the same moment',
  'src/gateway/adapters/quiet-removals.ts | const restMs = () => readUntil + Math.max(beginMs * (1 + load()), lagMs) - now(); | readUntil + Math.max(beginMs * (1 + load()), lagMs) → readUntil - Math.max(beginMs * (1 + load()), lagMs)':
    'how long a removal waits for a proxy that is reading: the unit tests have a clock',
  'src/box/carry-out.ts | if (events.size === 0) return differences(before, await list … s(box), compose.project); | events.size === 0 → false':
    "a Compose that says nothing of what it did: the suite's engine always says it",
  "src/box/stay-up.ts | return state === 'created' || health === 'starting'; | 'created' → \"\"":
    'a container that is made and not started when Compose has ended: one that cannot start fails there',
  "src/gateway/adapters/wg-easy-refusals.ts | if (status > 500) return new WgEasyError('unavailable', found); | status > 500 → true":
    'only the wording of the reason follows from it, and one more look for a peer that is not there',
  'src/box/rules/reconcile-plan.ts | return a < b ? -1 : 1; | -1 → +1':
    'the apps come in the order of their names already',
  'src/box/adapters/docker-output.ts | return new Map(found.filter(([, id]) => /^\\w[\\w:+.-]*$/.test(id))); | found.filter(([, id]) => /^\\w[\\w:+.-]*$/.test(id)) → found':
    'an engine that answers something else than ids: the unit tests have one',
  'src/gateway/adapters/reading-trace.ts | if (wasRead || seen === null || atimeNs > mtimeNs) { | seen === null → false':
    'how long a removal waits for a proxy that is reading: the unit tests have files of their own',
  'src/gateway/store/file.ts | if (!existsSync(path)) throw new StoreFailed(`there is no store at ${path}`); | !existsSync(path) → false':
    'other commands than the server',
  "src/box/adapters/compose.ts | const look = (args: readonly string[], cwd = '/') => | '/' → \"\"":
    'where a program is called that is given every path whole',
  'src/box/adapters/install-records.ts | return a.size === b.size && [...a].every(([path, digest]) => b.get(path) === digest); | b.get(path) === digest → b.get(path) !== digest':
    'a record is written again with the same bytes, or an owner has put every file of a newer bundle there by hand',
  'src/box/remove.ts | if (!(error instanceof ContainersFailed) || error.unreachable) throw error; | !(error instanceof ContainersFailed) || error.unreachable → false':
    'an engine that goes away between two questions: it is asked once more, and the answer says the same',
  "src/gateway/adapters/quiet-removals.ts | let isSeen = proxy !== 'none'; | proxy !== 'none' → proxy === 'none'":
    'how long a removal waits for a proxy that is reading: the unit tests have a clock',
  'src/gateway/adapters/traefik-files.ts | throw new RouteFilesFailed(`the routes directory ${reasonOf( …  path, { cause: error }); | { cause: error } → {}':
    'what a log says of a start that fails',
  'src/gateway/adapters/quiet-removals.ts | if (now() - start >= patienceMs) isSeen &&= hasBegun; | now() - start → now() + start':
    'how long a removal waits for a proxy that is reading: the unit tests have a clock',
  'src/box/rules/reconcile-plan.ts | return `${whose}: ${step.do}: ${step.cause}\\n`; | `${whose}: ${step.do}: ${step.cause}\\n` → ``':
    'the plan as a text, which only tests print',
  'src/self-update/adapters/systemd.ts | if (error.notFound) | error.notFound → false':
    'only the wording of the reason follows from it',
  'src/box/rules/setting-values.ts | return JSON.stringify(name.length > 80 ? `${name.slice(0, 80)}…` : name); | name.length > 80 → false':
    'how much of a wrong name the wording of a refusal shows',
  'src/gateway/store/sqlite-store.ts | routesOf.delete(id); | routesOf.delete(id); → ;':
    'what is kept of a box that is gone: memory',
  "src/gateway/adapters/wg-easy-refusals.ts | isJson(answer) && !words.startsWith('Page not found') && !wo … annot find static asset') | isJson(answer) && !words.startsWith('Page not found') && !wo … annot find static asset') → false":
    'only the wording of the reason follows from it, and one more login',
  'src/lib/write-file.ts | if (await holds(path, bytes, mode)) return false; | await holds(path, bytes, mode) → false':
    'a file is replaced by one with the same bytes; where its time matters that is seen before',
  'src/gateway/adapters/wg-easy-answers.ts | return pair !== undefined && /^[\\x21-\\x7e]{1,4096}$/.test(pair) ? pair : null; | /^[\\x21-\\x7e]{1,4096}$/ → /^[\\x21-\\x7e]{1,4096}/':
    'a tunnel manager whose cookie no header can carry',
  "src/box/rules/compose-file.ts | if (restart !== undefined && restart !== 'no' && restart !== false) | restart !== false → true":
    'Compose refuses a file with `restart: false`',
  'src/box/adapters/install-files.ts | return stagingFolders(work).length > 0 || work.places.some(isLeft); | stagingFolders(work).length > 0 → stagingFolders(work).length <= 0':
    'what a kill in the middle of an install leaves in a folder of ours',
  "src/lib/run-command.ts | const notFound = error.code === 'ENOENT'; | 'ENOENT' → \"\"":
    'a machine without `docker`: the suite puts a program there that says so, the unit tests have none',
  'src/box/rules/refresh-plan.ts | for (const path of [...bundle.keys(), ...gone].sort()) { | [...bundle.keys(), ...gone].sort() → [...bundle.keys(), ...gone]':
    'the order of files among the actions, which no document fixes',
  'src/gateway/store/group-commit.ts | change.fail(error); | change.fail(error); → ;':
    'a store whose disk refuses: the unit tests have one',
  "src/box/carry-out.ts | if (earlier === undefined) return { name, service, event: 'created' }; | 'created' → \"\"":
    "a Compose that says nothing of what it did: the suite's engine always says it",
  "src/box/rules/manifest.ts | if (value === null) return 'null'; | 'null' → \"\"":
    'the wording of what is wrong with a manifest',
  'src/gateway/adapters/wg-easy-answers.ts | enabled: item.enabled === true, | item.enabled === true → true':
    'other commands than the server',
};

/** Somebody outside can tell: a check is missing. */
const missing: Reasons = {
  "src/gateway/boxes.ts | if (!isRemoved) refuse('invalidBoxToken'); | !isRemoved → false":
    'no check meets the moment between two removals of one box that were both let in',
  "src/box/rules/reconcile-plan.ts | if (workingDirectory === '' || seen.isDirectory(workingDirectory)) kept.add(project); | '' → \"Stryker was here!\"":
    'no check has a container of a project that was made by hand and does not say in which folder',
  'src/gateway/adapters/wg-easy-refusals.ts | if (status >= 300 && status < 400) return redirect(answer); | status >= 300 → true':
    'no check has a tunnel manager that answers a change with a success of another kind',
  'src/box/rules/interrupted-recreate.ts | own.some((other) => other.service === container.service && !isTemporary(other)), | other.service === container.service && !isTemporary(other) → false':
    'no check has what an `up` leaves that is killed between the two containers of a service',
  'src/box/rules/image-changes.ts | return [...changes.values()].sort((a, b) => (a.service < b.service ? -1 : 1)); | (a, b) => (a.service < b.service ? -1 : 1) → () => undefined':
    'no check has services whose containers are listed in another order than that of their names',
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

/** Whether a survivor was looked at, and no check could notice it. */
export function isBeyondChecks(key: string, reasons: ReadonlyMap<string, Reason> = survivors): boolean {
  const kind = reasons.get(key)?.kind;
  return kind === 'the same server' || kind === 'not seen from outside';
}
