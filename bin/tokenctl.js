#!/usr/bin/env node
'use strict';
// CommonJS, by the package.json beside it: Node.js starts it sooner than an ES module, and an old one reads it too.
const version = process.versions.node.split('.').map(Number);
if (version[0] < 20 || (version[0] === 20 && version[1] < 19)) {
  process.stderr.write(
    `error: tokenctl needs Node.js 20.19 or newer; this is ${process.versions.node}.\nhint: Install a newer one: nvm install 22 (https://nodejs.org)\n`,
  );
  process.exit(1);
}
// Goals S1 to S4: Node.js 22.8 and newer keep compiled code, in the user's cache directory.
const { HOME, LOCALAPPDATA, XDG_CACHE_HOME } = process.env;
const directory = XDG_CACHE_HOME || LOCALAPPDATA || (HOME && `${HOME}/.cache`);
if (directory) require('node:module').enableCompileCache?.(`${directory}/tokenctl`);
try {
  require('../dist/cli/tokenctl.cjs');
} catch (error) {
  if (!error.message.startsWith("Cannot find module '../dist/")) throw error;
  process.stderr.write('error: tokenctl is not built here.\nhint: Build it: npm run build\n');
  process.exit(1);
}
