import { isFeedAddress } from '../../self-update/rules/feed-address.ts';
import { expected } from './setting.ts';

/** The value of `--release-feed`, of a box or a gateway. */
export function feedAddress(text: string): string {
  const url = URL.parse(text);
  // The address appears in process arguments, in errors and in the state that the proxy publishes.
  if (url?.username || url?.password) throw new Error('expected an address without a user name or password');
  if (!isFeedAddress(text)) throw expected('an address that is https:, file: or loopback http:', text);
  return text;
}
