#!/usr/bin/env node
// The launcher. Old versions of Node can read it, so that they can say that they are too old.
// biome-ignore-all lint/style/useNodejsImportProtocol: old versions do not know it.
'use strict';

const fs = require('fs');
const path = require('path');

const oldest = 24;
const root = path.join(fs.realpathSync(__dirname), '..', '..');

/**
 * The bundle, or where it is not there or not made from the sources as they are now, the source itself: slower to
 * start and never out of date. Only a checkout has to ask; in an installed package nobody edits.
 */
function program() {
  const isCheckout = fs.existsSync(path.join(root, '.git'));
  if (!isCheckout || isCurrent()) return path.join(root, 'dist', 'main.cjs');
  return path.join(__dirname, 'main.ts');
}

const bundlesOfServers = {
  box: ['main', 'box-server'],
  gateway: ['main', 'gateway-server', 'harmful-file'],
};

/** The build wrote down the time and size of every source of every bundle; those of other commands do not matter. */
function isCurrent() {
  try {
    const bundles = JSON.parse(fs.readFileSync(path.join(root, 'dist', 'sources.json'), 'utf8'));
    // Serving is what should start fast; every other command looks at all of them.
    const serves = process.argv[3] === 'serve' ? bundlesOfServers[process.argv[2]] : undefined;
    const used = serves || Object.keys(bundles);
    const sources = Object.assign({}, ...used.map((name) => bundles[name]));
    return Object.keys(sources).every((name) => {
      const stats = fs.statSync(path.join(root, name));
      return `${stats.mtimeMs}/${stats.size}` === sources[name];
    });
  } catch (_error) {
    return false; // No bundle, or one of a source that is gone.
  }
}

if (Number(process.versions.node.split('.')[0]) < oldest) {
  process.stderr.write(`boxgate: needs Node ${oldest} or newer, this is ${process.versions.node}\n`);
  process.exitCode = 2;
} else {
  // In a folder of our own: one that all users of the machine write to could hand us another's code. Where it cannot
  // be written, nothing is kept.
  require('module').enableCompileCache(path.join(root, 'dist', 'cache'));
  require(program()).main(process.argv.slice(2), process.env);
}
