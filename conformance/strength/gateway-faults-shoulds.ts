import type { FaultRow } from './fault.ts';

const atOnce: FaultRow[] = [
  ['box-limit-unlocked', 'counts the boxes before it waits for other registrations', '557'],
  ['route-limit-unlocked', 'counts the routes before the transaction that adds one', '84'],
  ['subdomain-unlocked', 'looks for the subdomain before the transaction that adds the route', '83'],
  ['rotation-unlocked', 'lets every one of several rotations with one token succeed', '63'],
  ['publish-after-deregistration', 'adds a route to a box that was removed meanwhile', '113'],
  [
    'registrations-mixed',
    'answers a registration with the peer of another one',
    'registerBox/1 peer/1 states/2 service/4',
  ],
];

const manager: FaultRow[] = [
  ['failed-registration-leaves-peer', 'leaves the peer of a failed registration', '42 43 44'],
  ['cleanup-not-repeated', 'tries only once to remove a peer', '43'],
  ['create-repeated-blindly', 'creates a peer again without a look at the first one', '53'],
  ['client-gone-leaves-peer', 'stops a registration whose client has disconnected, and leaves the peer', '551'],
  ['failure-remembered', 'answers 502 for ever once the manager has failed', 'states/1 558'],
  ['start-needs-manager', 'does not start while the manager is unreachable', '49', 'crashes'],
  ['manager-in-parallel', 'calls the manager several times at once', '50'],
  ['login-every-call', 'logs in to the manager before every call', '51'],
  ['session-never-renewed', 'never logs in to the manager again', '51 130'],
  ['session-renewed-on-401', 'logs in again only after a 401, which version 14 does not answer', '51'],
  ['deregistration-502', 'answers 502 to a deregistration while the manager is unreachable', '69'],
  ['deregistration-forgets-peer', 'tries once to remove the peer of a removed box', '43 69'],
  ['peers-of-others-removed', 'removes peers that it did not create', '572'],
  ['address-shared', 'keeps the hosts of a box whose tunnel address another box has got', '117'],
  ['name-passed-on', 'gives a peer the name of its box, whatever that is', '555'],
];

const files: FaultRow[] = [
  ['routes-after-deregistration', 'keeps the route files of a removed box', '70 561'],
  ['no-repair-at-start', 'does not look at the route files at a start', '98 101'],
  ['files-not-tried-again', 'does not try again to change a route file', '565'],
  ['files-in-place', 'writes into a route file that the proxy may be reading', '567'],
  ['temporary-files-read', 'writes a route file first under another name that the proxy reads', '567 600'],
  ['temporary-files-in-view', 'writes a route file first under another name in the watched folder', '600'],
  ['files-of-others-removed', 'removes files of the routes directory that it did not write', '97'],
  ['subdomain-unchecked', 'writes every subdomain into a route file', 'publishRoute/8 563'],
  ['subdomain-case-kept', 'takes two names that differ in case for different ones', '564'],
  ['subdomains-used-once', 'never frees a subdomain', '70 81'],
];

const store: FaultRow[] = [
  ['lowered-limit-removes', 'removes routes beyond a lowered limit at its start', '86'],
  ['store-written-at-stop', 'writes its store only when it stops', '100 573'],
  ['store-failure-remembered', 'refuses all changes once the store could not be written', '554', 'crashes'],
  ['store-failure-ignored', 'confirms changes that could not be written', '554'],
  ['other-file-replaced', 'replaces a file that is not a store', '126'],
  ['store-for-everybody', 'lets every user read its store', '569'],
  ['token-in-store', 'keeps box tokens in clear', '560'],
];

const http: FaultRow[] = [
  ['token-logged', 'writes box tokens to standard error', '20'],
  ['limit-before-token', 'answers 403 to a wrong registration token at the box limit', '552'],
  ['first-length-counts', 'takes the first of two different lengths of a body', '550'],
  ['needless-body-unread', 'takes the body of a heartbeat for the next request', '550'],
  ['malformed-as-page', 'answers malformed HTTP with a page', '553'],
  ['unknown-fields-refused', 'refuses a body with a field that it does not know', '13'],
  ['endless-body-read', 'reads a body of any length', '577'],
];

/** Faults that lose or leak data, peers, routes or secrets. */
export const shouldFaults: readonly FaultRow[] = [...atOnce, ...manager, ...files, ...store, ...http];
