// biome-ignore-all lint/suspicious/noTemplateCurlyInString: what stands in these texts is source.
import { type BoxFault, boxFault, breaking, inFile } from './box-fault.ts';

const render = inFile('box/page/render.ts');
const handlers = inFile('box/handlers.ts');

const page = (from: string, to: string) =>
  render(
    "part('page.html'));",
    `part('page.html').replace(${JSON.stringify(from)}, ${JSON.stringify(to)}));`,
  );
const script = '<script type="module">${script}</script>';

/** The page as far as its bytes tell. */
export const pageFaults: readonly BoxFault[] = [
  boxFault(
    'page-without-charset',
    'serves the page without its charset',
    'endpoints/5',
    render("'Content-Type': 'text/html; charset=utf-8',", "'Content-Type': 'text/html',"),
  ),
  boxFault(
    'page-elsewhere',
    'sends visitors of / to /apps',
    'showPage/1 showPage/2',
    handlers(
      'showPage: () => pageAnswer(box),',
      "showPage: () => ({ status: 302, type: 'text/html; charset=utf-8', body: '<html></html>', headers: { Location: '/apps' } }),",
    ),
  ),
  boxFault(
    'apps-page-404',
    'does not know /apps',
    'showAppsPage/1 showAppsPage/2',
    handlers(
      'showAppsPage: () => pageAnswer(box),',
      "showAppsPage: () => ({ status: 404, body: { error: 'not found' } }),",
    ),
  ),
  boxFault(
    'apps-folder-page-404',
    'does not know /apps/',
    'showAppsFolderPage/1 showAppsFolderPage/2',
    handlers(
      'showAppsFolderPage: () => pageAnswer(box),',
      "showAppsFolderPage: () => ({ status: 404, body: { error: 'not found' } }),",
    ),
  ),
  breaking(
    boxFault(
      'apps-page-500',
      'fails under the three paths of the page',
      'showPage/2 showAppsPage/2 showAppsFolderPage/2',
      handlers('const { html, headers } = box.page();', "throw new Error('no page');"),
    ),
  ),
  boxFault(
    'apps-page-empty',
    'has another page under /apps than under /',
    'showAppsPage/1',
    handlers(
      'showAppsPage: () => pageAnswer(box),',
      "showAppsPage: () => ({ ...pageAnswer(box), body: '<!doctype html><title>Apps</title>' }),",
    ),
  ),
  boxFault(
    'apps-folder-page-other',
    'has another page under /apps/ than under /',
    'showAppsFolderPage/1',
    handlers(
      'showAppsFolderPage: () => pageAnswer(box),',
      "showAppsFolderPage: () => ({ ...pageAnswer(box), body: '<!doctype html><title>Apps</title>' }),",
    ),
  ),
  boxFault(
    'page-json',
    'answers / with JSON',
    'showPage/1 endpoints/5',
    handlers('showPage: () => pageAnswer(box),', 'showPage: () => ({ status: 200, body: {} }),'),
  ),
  boxFault(
    'page-title',
    'has a title that says nothing of apps',
    'page/1',
    page('<title>Apps</title>', '<title>Box</title>'),
  ),
  boxFault('page-without-title', 'has no title', 'page/1', page('<title>Apps</title>', '')),
  boxFault('page-without-home', 'has no link to /', 'page/11', page('<a href="/">Home</a>', '')),
  boxFault('page-without-apps', 'has no link to /apps', 'page/11', page('<a href="/apps" ', '<a href="#" ')),
  boxFault(
    'page-without-settings',
    'links to /settings, which is another path',
    'page/11',
    page('href="/settings/"', 'href="/settings"'),
  ),
  boxFault(
    'page-without-style',
    'does not load the shared style',
    'page/13',
    page('<link rel="stylesheet" href="/style.css">', ''),
  ),
  boxFault(
    'page-style-relative',
    'loads its style from below its own path',
    'page/13 service/2',
    page('href="/style.css"', 'href="style.css"'),
  ),
  boxFault(
    'page-without-warning',
    'says nothing of authentication, nor of who can reach it',
    'page/2 auth/4',
    render(
      "part('page.html'));",
      "part('page.html').replace(/<section class=\"warning\".*?<\\/section>/s, ''));",
    ),
  ),
  ...[
    ['bundled-list', 'bundled', 'page/3'],
    ['reinstall', 'Reinstall', 'page/4'],
    ['icons', 'icon_svg', 'page/10'],
    ['has-settings', 'has_settings', 'page/14'],
    ['password-fields', 'password', 'page/15'],
  ].map(([name, word, breaks]) =>
    boxFault(
      `page-without-${name}`,
      `knows nothing of ${word}`,
      `${breaks}`,
      render(script, `<script type="module">\${script.replace(/${word}/gi, 'x')}</script>`),
    ),
  ),
  boxFault(
    'page-script-file',
    'loads its script from a file',
    'service/2 service/4',
    render(script, '<script src="/page.js"></script>'),
  ),
  boxFault('page-script-none', 'has no script', 'service/4', render(script, '')),
  boxFault(
    'page-script-compiled',
    'has a script that a browser does not run as it is',
    'service/4',
    render(script, '<script type="text/babel">${script}</script>'),
  ),
  boxFault(
    'page-font',
    'loads a style from elsewhere',
    'service/2',
    page('<link rel="icon" href="data:,">', '<link rel="stylesheet" href="https://fonts.example/a.css">'),
  ),
  boxFault(
    'page-image',
    'loads an image',
    'service/2',
    page('<h1>Apps</h1>', '<h1><img src="/logo.png" alt="">Apps</h1>'),
  ),
  boxFault(
    'page-style-import',
    'loads a style from within its own style',
    'service/2',
    render('const style = `\\n', 'const style = `\\n@import url(/more.css);'),
  ),
  boxFault(
    'page-module-import',
    'loads a part of its script from a file',
    'service/2 service/4',
    render('const script = `\\n', "const script = `\\nimport '/more.js';\\n"),
  ),
];
