/** The reason of the checks of the page that were not run, because the run has no browser. */
export const withoutBrowser = 'needs a browser: --browser PATH';
