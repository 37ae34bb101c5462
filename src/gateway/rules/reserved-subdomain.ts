/** The subdomain at which deploy/gateway/ serves the API. */
const ownSubdomain = 'gateway';

/** Whether boxes are not allowed to publish the subdomain. choice/gateway/310 */
export function isReserved(subdomain: string, reserved: readonly string[]): boolean {
  return subdomain === ownSubdomain || reserved.includes(subdomain);
}
