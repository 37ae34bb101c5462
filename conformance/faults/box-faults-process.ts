// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, breaking, inFile } from './box-fault.ts';

const settings = inFile('cli/settings/box-settings.ts');
const main = inFile('cli/main.ts');
const setting = inFile('cli/settings/setting.ts');
const serve = inFile('http/serve.ts');
const listen = inFile('http/listen.ts');

const printed = 'process.stdout.write(`listening on ${listening.url}\\n`);';
const logged = (line: string) =>
  inFile('http/exchange.ts')(
    'if (reply === null) return true;',
    `if (reply === null) return true;\n  ${line}`,
  );
/** Action at one of the two signals in place of an orderly stop. */
const onSignal = (signal: string, handler: string) =>
  serve('process.on(name, onSignal);', `process.on(name, name === '${signal}' ? ${handler} : onSignal);`);

/** How a box is started, configured and stopped. */
export const processFaults: readonly BoxFault[] = [
  boxFault(
    'host-everywhere',
    'listens everywhere when no host is set',
    'service/6 auth/2 limits/2',
    settings("value('host') ?? '127.0.0.1'", "value('host') ?? '0.0.0.0'"),
  ),
  boxFault(
    'port-7001',
    'listens on port 7001 when none is set',
    'service/7 limits/2',
    settings("value('port') ?? 7000", "value('port') ?? 7001"),
  ),
  boxFault(
    'host-ignored',
    'listens on 127.0.0.1 whatever it is told',
    'service/8 process/1',
    settings("value('host') ?? '127.0.0.1'", "'127.0.0.1'"),
  ),
  boxFault(
    'host-everywhere-always',
    'listens everywhere when another host than the usual one is set',
    'service/8 process/1',
    settings("value('host') ?? '127.0.0.1'", "value('host') ? '0.0.0.0' : '127.0.0.1'"),
  ),
  boxFault(
    'port-ignored',
    'takes a free port whatever it is told',
    'service/8 process/1',
    settings("value('port') ?? 7000", '0'),
  ),
  breaking(
    boxFault(
      'port-0-refused',
      'takes 0 for no port',
      'process/2',
      settings('wholeNumber(0, 65535)', 'wholeNumber(1, 65535)'),
    ),
  ),
  boxFault(
    'says-asked-port',
    'prints the port that it was told, not the one that it took',
    'process/2 process/3',
    listen('url: `http://${shownHost}:${address.port}`', 'url: `http://${shownHost}:${port}`'),
  ),
  boxFault(
    'ready-text',
    'says in other words that it is ready',
    'process/3',
    serve(printed, 'process.stdout.write(`boxgate listens on ${listening.url}\\n`);'),
  ),
  boxFault(
    'ready-twice',
    'prints more than one line when it is ready',
    'process/3',
    serve(printed, 'process.stdout.write(`listening on ${listening.url}\\npress Ctrl-C to stop\\n`);'),
  ),
  boxFault(
    'log-on-stderr',
    'writes a line for every request to standard error',
    'service/28',
    logged('process.stderr.write(`${request.method} ${request.url}\\n`);'),
  ),
  boxFault(
    'log-on-stdout',
    'writes a line for every request to standard output',
    'service/28 process/3',
    logged('process.stdout.write(`${request.method} ${request.url}\\n`);'),
  ),
  boxFault(
    'log-of-refusals',
    'writes a line for every refusal',
    'service/28',
    logged('if (reply.status >= 400) process.stderr.write(`${request.url}: ${reply.status}\\n`);'),
  ),
  boxFault(
    'install-not-told',
    'writes no line for an install',
    'choice/box/330',
    inFile('box/journal.ts')("installApp: 'install',", ''),
  ),
  boxFault(
    'bundle-not-set',
    'does not know the variable of the bundled apps',
    'process/4',
    settings("variable: 'BOX_BUNDLED_APPS'", "variable: 'BOX_BUNDLE'"),
  ),
  boxFault(
    'installed-not-set',
    'has installed apps in a directory of another name',
    'process/5',
    settings("join(stateDir, 'apps')", "join(stateDir, 'installed')"),
  ),
  boxFault(
    'installed-variable-ignored',
    'has installed apps in the state directory whatever it is told',
    'process/5 service/13',
    settings("value('installedApps') ?? join(stateDir, 'apps')", "join(stateDir, 'apps')"),
  ),
  boxFault(
    'state-not-set',
    'does not know the variable of the state directory',
    'process/6',
    settings("variable: 'BOX_STATE_DIR'", "variable: 'BOX_STATE'"),
    settings(
      "const stateDir = value('stateDir') ?? defaultStateDir(env);",
      "const stateDir = value('stateDir') ?? join(env.BOX_STATE_DIR ?? '', 'other');",
    ),
  ),
  boxFault(
    'manifest-name',
    'reads manifests under another name',
    'service/11',
    inFile('box/apps/catalogue.ts')(
      "const manifestFile = 'manifest.json';",
      "const manifestFile = 'app.json';",
    ),
  ),
  boxFault(
    'allowed-hosts-blanks',
    'separates further hosts by blanks',
    'process/7',
    inFile('cli/settings/setting.ts')('text.split(separator)', "text.split(' ')"),
    settings('/^[A-Za-z0-9_.-]{1,253}$/', '/^[A-Za-z0-9_.,-]{1,253}$/'),
  ),
  boxFault(
    'allowed-hosts-first',
    'knows only the first of several further hosts',
    'process/7',
    settings(
      "names.filter((name) => name !== '').map(allowedHost)",
      "names.filter((name) => name !== '').slice(0, 1).map(allowedHost)",
    ),
  ),
  boxFault(
    'bad-value-1',
    'ends with status 1 over a bad value',
    'process/13',
    main('error instanceof UsageError ? 2 : 1', '1'),
  ),
  boxFault(
    'bad-value-nameless',
    'does not name the variable of a bad value',
    'process/13',
    inFile('cli/settings/setting.ts')(
      'throw new UsageError(`${name}: ${(error as Error).message}`);',
      'throw new UsageError((error as Error).message);',
    ),
  ),
  boxFault(
    'bad-value-stack',
    'tells of a bad value in several lines',
    'process/13',
    main(
      "process.stderr.write(`boxgate: ${shownText(lines.filter((line) => line !== '').join(' '))}\\n`);",
      'process.stderr.write(`${error.stack}\\n`);',
    ),
  ),
  boxFault(
    'bad-value-on-stdout',
    'tells of a bad value on standard output',
    'process/13 process/24',
    main('process.stderr.write(`boxgate: ${', 'process.stdout.write(`boxgate: ${'),
  ),
  boxFault(
    'bad-port-default',
    'takes the default for a port that is none',
    'process/13',
    settings(
      'parse: once(wholeNumber(0, 65535)),',
      'parse: once((text) => (Number(text) < 65536 ? Number(text) : 0)),',
    ),
  ),
  boxFault(
    'port-limit',
    'takes 65536 for a port',
    'process/13',
    settings('wholeNumber(0, 65535)', 'wholeNumber(0, 65536)'),
  ),
  boxFault(
    'port-taken-0',
    'ends with status 0 when its port is taken',
    'process/14',
    main('error instanceof UsageError ? 2 : 1', 'error instanceof UsageError ? 2 : 0'),
  ),
  boxFault(
    'port-taken-2',
    'ends with status 2 when its port is taken',
    'process/14',
    main('error instanceof UsageError ? 2 : 1', '2'),
  ),
  boxFault(
    'port-taken-silent',
    'says nothing when its port is taken',
    'process/14 process/24',
    main('process.stderr.write(`boxgate: ${', 'void (`${'),
  ),
  boxFault(
    'port-taken-other',
    'takes another port when its port is taken',
    'process/14',
    listen(
      '    server.listen({ host, port }, resolve);',
      "    server.removeAllListeners('error');\n    server.once('error', () => server.listen({ host, port: 0 }, resolve));\n    server.listen({ host, port }, resolve);",
    ),
  ),
  boxFault(
    'sigterm-at-once',
    'ends at once on SIGTERM',
    'process/15',
    onSignal('SIGTERM', '() => process.exit(0)'),
  ),
  boxFault(
    'sigterm-status',
    'ends with status 143 after SIGTERM',
    'process/15',
    onSignal('SIGTERM', "() => { onSignal(); process.on('exit', () => { process.exitCode = 143; }); }"),
  ),
  boxFault(
    'sigterm-accepts',
    'goes on accepting while it stops',
    'process/15',
    listen(
      'const closed = new Promise((resolve) => server.close(resolve));\n  inFlight.dropIncomplete();',
      'inFlight.dropIncomplete();',
    ),
    listen(
      '  // One turn of the loop, so that',
      '  const closed = new Promise((resolve) => server.close(resolve));\n  // One turn of the loop, so that',
    ),
  ),
  boxFault(
    'sigint-unknown',
    'dies of SIGINT',
    'process/16',
    serve("const names = ['SIGTERM', 'SIGINT'] as const;", "const names = ['SIGTERM'] as const;"),
  ),
  boxFault('sigint-ignored', 'does not heed SIGINT', 'process/16', onSignal('SIGINT', '() => undefined')),
  boxFault(
    'state-private',
    'makes the state directory private',
    'process/23',
    inFile('lib/files/storage.ts')(
      'if (makeFolders(path, 0o755)) chmodSync(path, 0o755);',
      'makeFolders(path, 0o755);\n    chmodSync(path, 0o700);',
    ),
  ),
  boxFault(
    'state-file-private',
    'makes update-state.json private',
    'process/23',
    inFile('self-update/adapters/update-files.ts')(
      'writeFileAtomic(statePath, text, 0o644)',
      'writeFileAtomic(statePath, text, 0o600)',
    ),
  ),
  boxFault(
    'records-open',
    'lets everybody read what it remembers',
    'process/23',
    inFile('box/adapters/files/reconcile-records.ts')(
      '`${JSON.stringify(content)}\\n`, 0o600)',
      '`${JSON.stringify(content)}\\n`, 0o644)',
    ),
  ),
  boxFault(
    'trash-open',
    'lets everybody look into the trash',
    'process/23',
    inFile('box/adapters/files/trash.ts')(
      'await mkdir(trash, { recursive: true, mode: 0o700 });',
      'await mkdir(trash, { recursive: true, mode: 0o755 });',
    ),
  ),
  boxFault(
    'variable-wins',
    'goes by the variable where a flag says otherwise',
    'process/11',
    setting('if (byFlag !== undefined) return', 'if (byFlag !== undefined && !text) return'),
  ),
  boxFault(
    'unknown-flag-passed-over',
    'starts with a flag that it does not know',
    'process/13',
    setting('      allowPositionals: true,\n', '      allowPositionals: true,\n      strict: false,\n'),
  ),
  {
    ...boxFault(
      'waits-for-idle-connections',
      'does not end while a connection is open on which nothing is asked',
      'process/15',
      listen(
        'server.close(resolve)',
        'Object.getPrototypeOf(Object.getPrototypeOf(server)).close.call(server, resolve)',
      ),
      listen(
        '  server.closeIdleConnections();\n  await Promise.race([closed, pause(500)]);\n  server.closeAllConnections();\n',
        '',
      ),
    ),
    hangs: true,
  },
];
