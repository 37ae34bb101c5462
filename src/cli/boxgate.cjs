#!/usr/bin/env node
// The launcher. Old versions of Node can parse it, so that it can report that they are too old.
// biome-ignore-all lint/style/useNodejsImportProtocol: old versions do not know it.
'use strict';

const fs = require('fs');
const path = require('path');

const oldest = 24;
const root = path.join(fs.realpathSync(__dirname), '..', '..');
const dist = path.join(root, 'dist');

/** The program of a command by its first word; `main` runs all others. */
const programs = { box: 'box-main', tunnel: 'box-main', gateway: 'gateway-main' };

/**
 * The bundle of a program. In a checkout: the source, if the bundle is missing or older than one of its sources. An
 * installed package has no newer sources.
 */
function program() {
  const name = programs[process.argv[2]] || 'main';
  const isCheckout = fs.existsSync(path.join(root, '.git'));
  if (!isCheckout || isCurrent(name)) return path.join(dist, `${name}.cjs`);
  return path.join(__dirname, `${name}.ts`);
}

/** Compares times and sizes of all sources with those that the build recorded. */
function isCurrent(name) {
  try {
    const sources = JSON.parse(fs.readFileSync(`${dist}/${name}.sources.json`, 'utf8'));
    for (let i = 0; i < sources.length; i += 3) {
      const stats = fs.statSync(`${root}/${sources[i]}`);
      if (stats.mtimeMs !== sources[i + 1] || stats.size !== sources[i + 2]) return false;
    }
    return true;
  } catch (_error) {
    return false; // The bundle or a source is missing.
  }
}

/**
 * Ends the process on a signal that arrives before the server handles signals itself. No request is in flight then.
 */
function endEarly(signal) {
  if (process.listenerCount(signal) === 1) process.exit(0);
}

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(`boxgate: needs Node ${oldest} or newer, this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  if (process.argv[3] === 'serve') for (const signal of ['SIGTERM', 'SIGINT']) process.on(signal, endEarly);
  // The cache is in boxgate's own folder: in a shared one, another user could plant code. If the folder is read-only,
  // nothing is cached.
  require('module').enableCompileCache(path.join(dist, 'cache'));
  require(program()).main(process.argv.slice(2), process.env);
}
