#!/usr/bin/env node
// The launcher. Old versions of Node can read it, so that they can say that they are too old.
// biome-ignore-all lint/style/useNodejsImportProtocol: old versions do not know it.
'use strict';

const fs = require('fs');
const path = require('path');

const oldest = 24;
const root = path.join(fs.realpathSync(__dirname), '..', '..');
const dist = path.join(root, 'dist');

/**
 * The bundle, or where it is not there or not made from the sources as they are now, the source itself: slower to
 * start and never out of date. Only a checkout has to ask; in an installed package nobody edits.
 */
function program() {
  const isCheckout = fs.existsSync(path.join(root, '.git'));
  if (!isCheckout || isCurrent()) return path.join(dist, 'main.cjs');
  return path.join(__dirname, 'main.ts');
}

const bundlesOfServers = {
  box: ['main', 'box-server'],
  gateway: ['main', 'gateway-server', 'harmful-file'],
};

/** The build wrote down the time and size of every source of every bundle; those of other commands do not matter. */
function isCurrent() {
  try {
    // Only `serve` has to start fast; every other command checks all bundles.
    const serves = process.argv[3] === 'serve' ? bundlesOfServers[process.argv[2]] : undefined;
    const bundles = serves || JSON.parse(fs.readFileSync(`${dist}/sources.json`, 'utf8'));
    return bundles.every(isMadeOfItsSources);
  } catch (_error) {
    return false; // No bundle, or one of a source that is gone.
  }
}

/** Every start runs this loop, so it avoids path functions and conversions. */
function isMadeOfItsSources(bundle) {
  const sources = JSON.parse(fs.readFileSync(`${dist}/${bundle}.sources.json`, 'utf8'));
  for (let i = 0; i < sources.length; i += 3) {
    const stats = fs.statSync(`${root}/${sources[i]}`);
    if (stats.mtimeMs !== sources[i + 1] || stats.size !== sources[i + 2]) return false;
  }
  return true;
}

/** Until a server handles signals itself, no request is in flight, and its start can end anywhere. */
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
