import type { BrowserContext, Page } from '@playwright/test';
import { expect } from './stage.ts';

/** What would tell on itself if any of it were taken for more than text: it calls `xss()`, or fetches something with this in its address. */
const STOLEN = 'rubato';

/** Forty ways in, each short enough for the shortest field (50 signs). */
export const PAYLOADS = [
  '<script>xss()</script>',
  '"><script>xss()</script>',
  `<script src=//${STOLEN}.test/x></script>`,
  `<img src=${STOLEN} onerror=xss()>`,
  `"><img src=${STOLEN} onerror=xss()>`,
  `'><img src=${STOLEN} onerror='xss()'>`,
  `<img src=//${STOLEN}.test/x>`,
  `<img srcset=//${STOLEN}.test/x>`,
  '<svg onload=xss()>',
  '<svg/onload=xss()>',
  '<svg><script>xss()</script></svg>',
  '<svg><animate onbegin=xss() attributeName=x>',
  '<body onload=xss()>',
  '<iframe src=javascript:xss()>',
  '<iframe srcdoc="<script>xss()</script>">',
  `<a href=javascript:xss()>${STOLEN}</a>`,
  'javascript:xss()',
  'JaVa&#9;ScRiPt:xss()',
  'data:text/html,<script>xss()</script>',
  '<details open ontoggle=xss()>',
  `<video src=${STOLEN} onerror=xss()>`,
  `<audio src=${STOLEN} onerror=xss()>`,
  '<input autofocus onfocus=xss()>',
  '</textarea><script>xss()</script>',
  '</title><script>xss()</script>',
  '</style><script>xss()</script>',
  '--><script>xss()</script>',
  `<math href=javascript:xss()>${STOLEN}</math>`,
  '<object data=javascript:xss()>',
  '<embed src=javascript:xss()>',
  `<link rel=stylesheet href=//${STOLEN}.test/x>`,
  `<style>@import'//${STOLEN}.test/x'</style>`,
  `<meta http-equiv=refresh content=0;//${STOLEN}>`,
  `<base href=//${STOLEN}.test/>`,
  `<form action=javascript:xss()><button>${STOLEN}`,
  '<marquee onstart=xss()>',
  "{{constructor.constructor('xss()')()}}",
  "${xss()}';xss();//",
  '&lt;script&gt;xss()&lt;/script&gt;',
  '%3Cscript%3Exss()%3C/script%3E',
] as const;

/** All payloads in as few texts of at most so many signs as they fit in. */
export function packs(max: number): string[] {
  const found: string[] = [];
  for (const payload of PAYLOADS) {
    const longer = `${found.at(-1)} ${payload}`;
    if (found.length > 0 && longer.length <= max) found[found.length - 1] = longer;
    else found.push(payload);
  }
  return found;
}

/** The text of a round: every pack has its turn in as many rounds as there are packs. */
export const inRound = (max: number, round: number): string => packs(max)[round % packs(max).length] ?? '';

/** Everything that must not happen, as it happens. Broken content security policies become console errors, and those fail a test. */
type Watch = { happened: string[] };

export async function watch(context: BrowserContext, url: string): Promise<Watch> {
  const happened: string[] = [];
  await context.exposeFunction('xss', () => void happened.push('a payload ran'));
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', ({ violatedDirective, blockedURI }) =>
      console.error(`content security policy: ${violatedDirective} ${blockedURI}`),
    ),
  );
  context.on('dialog', (dialog) => {
    happened.push(`a dialog: ${dialog.message()}`);
    void dialog.dismiss();
  });
  context.on('request', (request) => {
    const asked = request.url();
    const ours = asked.startsWith(`${url}/`) || /^(blob|data|about):/.test(asked);
    if (!ours || asked.includes(STOLEN)) happened.push(`a request: ${asked}`);
  });
  return { happened };
}

/** What the page shows: its text, what its fields hold, and the same inside the phones drawn on it. One space where there are several. */
async function shown(page: Page): Promise<string> {
  const text = await page.evaluate(() => {
    const documents = [
      document,
      ...Array.from(document.querySelectorAll('iframe'), (of) => of.contentDocument),
    ];
    return documents
      .flatMap((of) => [
        of?.body?.innerText ?? '',
        ...Array.from(
          of?.querySelectorAll('input, textarea') ?? [],
          (field) => (field as HTMLInputElement).value,
        ),
      ])
      .join('\n');
  });
  return text.replaceAll(/\s+/g, ' ');
}

/** Waits until the page shows all these texts as they were typed, and finds nothing in it that only a payload could have made. */
export async function showsAsTyped(page: Page, texts: readonly string[]): Promise<void> {
  const missing = async () => {
    const all = await shown(page);
    return texts.filter((text) => !all.includes(text));
  };
  await expect.poll(missing, { timeout: 20_000 }).toEqual([]);
  await nothingGrew(page);
}

/** No element with a handler of its own, none of the payloads' making: in the page or in a phone drawn on it. */
export async function nothingGrew(page: Page): Promise<void> {
  const grown = await page.evaluate((stolen) => {
    const documents = [
      document,
      ...Array.from(document.querySelectorAll('iframe'), (of) => of.contentDocument),
    ];
    const elements = documents.flatMap((of) => Array.from(of?.querySelectorAll('*') ?? []));
    const made = (element: Element) =>
      (['SCRIPT', 'STYLE'].includes(element.nodeName.toUpperCase()) &&
        (element.textContent.includes('xss(') || element.textContent.includes(stolen))) ||
      (['MARQUEE', 'EMBED', 'OBJECT', 'MATH', 'BASE', 'DETAILS'].includes(element.nodeName.toUpperCase()) &&
        !element.className) ||
      Array.from(element.attributes).some(
        ({ name, value }) =>
          name.startsWith('on') ||
          (['src', 'href', 'srcset', 'action', 'data', 'srcdoc'].includes(name) &&
            (value.includes(stolen) || /javascript:|xss\(/i.test(value))),
      );
    return elements.filter(made).map((element) => element.outerHTML.slice(0, 200));
  }, STOLEN);
  expect(grown).toEqual([]);
}
