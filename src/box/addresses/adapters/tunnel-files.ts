import { chmodSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { makeFolders } from '../../../lib/files/make-folders.ts';
import { readTextIfThere } from '../../../lib/files/read-file.ts';
import { reserveFile } from '../../../lib/files/reserve-file.ts';
import { syncDirectory, writeFileAtomic } from '../../../lib/files/write-file.ts';
import { isJsonObject, parseJson } from '../../../lib/json.ts';
import { waitForLock } from '../../../lib/process/lock.ts';
import type { Joined, Joining, TunnelFiles } from '../ports.ts';
import { makeOpenPorts, openPortsName } from './open-ports.ts';

const largestBytes = 64 * 1024;

const mode = 0o600;
/** Reserved size of a file, larger than its content ever is. */
const roomBytes = 8192;

export function makeTunnelFiles(stateDir: string): TunnelFiles {
  const identityFile = join(stateDir, 'tunnel.json');
  const configFile = join(stateDir, 'tunnel.conf');
  const openPortsFile = join(stateDir, openPortsName);
  return {
    configFile,
    openPorts: makeOpenPorts(stateDir),
    readConfig() {
      const text = readTextIfThere(configFile, largestBytes);
      if (text === null) throw new Error(`there is no file ${configFile}`);
      return text;
    },
    read() {
      const text = readTextIfThere(identityFile, largestBytes);
      return text === null ? null : identityOf(identityFile, text);
    },
    async writeJoining({ state, gateway, boxName, startedAt }) {
      const text = jsonText({ state, gateway, box_name: boxName, started_at: startedAt });
      await writeFileAtomic(identityFile, text, mode);
    },
    async reserveBoth() {
      const config = await reserveFile(configFile, roomBytes, mode);
      const identity = await reserveFile(identityFile, roomBytes, mode).catch(async (error) => {
        await config.abandon();
        throw error;
      });
      return {
        async keep(joined, text) {
          // Ports that an earlier registration published stay closed.
          rmSync(openPortsFile, { force: true });
          // The configuration is written first, because the other file marks the box as joined.
          await config.fill(text);
          await identity.fill(identityText(joined));
        },
        async abandon() {
          await config.abandon();
          await identity.abandon();
        },
      };
    },
    async reserveIdentity() {
      const { fill, abandon } = await reserveFile(identityFile, roomBytes, mode);
      return { keep: (joined) => fill(identityText(joined)), abandon };
    },
    async remove() {
      for (const file of [openPortsFile, configFile, identityFile]) {
        rmSync(file, { force: true });
        await syncDirectory(stateDir);
      }
    },
    lock() {
      // The mode is that of the box's own folder: the reverse proxy reads the update state in it.
      if (makeFolders(stateDir, 0o755)) chmodSync(stateDir, 0o755);
      return waitForLock(join(stateDir, 'tunnel.lock'));
    },
  };
}

function identityText(joined: Joined): string {
  const { state, gateway, boxId, boxToken, boxName, accountId, address, gatewayEnd } = joined;
  return jsonText({
    state,
    gateway,
    box_id: boxId,
    box_token: boxToken,
    box_name: boxName,
    account_id: accountId,
    address,
    gateway_address: gatewayEnd.address,
    gateway_address_assumed: gatewayEnd.isAssumed,
  });
}

function jsonText(value: object): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function identityOf(file: string, text: string): Joined | Joining {
  const found = parseJson(text);
  if (!isJsonObject(found)) throw new Error(`${file}: expected a JSON object as \`boxgate tunnel join\` wrote it`);
  const { state, ...values } = found;
  const value = (name: string): string => {
    const found = values[name];
    if (typeof found !== 'string') throw new Error(`${file}: expected "${name}", a string`);
    return found;
  };
  if (state === 'joining') {
    return { state, gateway: value('gateway'), boxName: value('box_name'), startedAt: value('started_at') };
  }
  return {
    state: 'joined',
    gateway: value('gateway'),
    boxId: value('box_id'),
    boxToken: value('box_token'),
    boxName: value('box_name'),
    accountId: value('account_id'),
    address: value('address'),
    gatewayEnd: { address: value('gateway_address'), isAssumed: values.gateway_address_assumed === true },
  };
}
