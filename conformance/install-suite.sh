#!/bin/sh
# install-suite.sh FOLDER: installs the suite of this checkout, after `npm run build`, with the packages that it needs at
# run time and without its sources.
set -eu
cd "$(dirname "$0")/.."
mkdir -p "$1"
tarball=$(npm pack --ignore-scripts --silent --pack-destination "$1")
tar -xzf "$1/$tarball" -C "$1" --strip-components 1
rm "$1/$tarball"
cp package-lock.json .npmrc "$1"
cd "$1"
npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund
