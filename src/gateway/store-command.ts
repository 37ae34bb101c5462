import type { CommandResult } from '../lib/command-result.ts';
import type { StoreAddress } from './gateway-settings.ts';
import { copyStore, type StoreCopy } from './store/copy-store.ts';

export async function copyStoreCommand(from: StoreAddress, to: StoreAddress): Promise<CommandResult> {
  const { id, counts } = await copyStore(from, to);
  const next =
    'Now set GATEWAY_STORE or GATEWAY_STORE_FILE to the new address and start the gateway. Start none on the old store: it would change the same peers.';
  return { status: 0, text: `copied the store ${id} (${contentOf(counts)}). ${next}` };
}

export function contentOf({ boxes = 0, routes = 0, ledger = 0 }: StoreCopy['counts']): string {
  return `boxes: ${boxes}, routes: ${routes}, pending peer deletions: ${ledger}`;
}
