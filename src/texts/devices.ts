/** Apps whose built-in browser is recognized. */
export type InApp =
  | 'instagram'
  | 'facebook'
  | 'messenger'
  | 'telegram'
  | 'whatsapp'
  | 'tiktok'
  | 'line'
  | 'other';
export type RealBrowser = 'Safari' | 'Chrome';

/** The card that proposes the system browser before the code is used. */
export const inAppTexts = {
  proposal: (browser: RealBrowser) => `Per vivere la sorpresa al meglio apri questa pagina in ${browser}`,
  open: 'Apri nel browser',
  copy: 'Copia link',
  copied: 'Link copiato!',
  notCopied: 'Tieni premuto sul link per copiarlo',
  stay: 'Continua qui',
} as const;

/** Path to «open in the browser» in each app. */
export const inAppPaths: Record<InApp, (browser: RealBrowser) => string> = {
  instagram: () => 'Tocca ••• in alto a destra › Apri nel browser esterno',
  facebook: () => 'Tocca ••• in alto a destra › Apri nel browser',
  messenger: () => 'Tocca ••• in alto a destra › Apri nel browser',
  telegram: (browser) => `Tocca ⋮ in alto a destra › Apri in ${browser}`,
  whatsapp: (browser) => `Tocca ••• › Apri in ${browser}`,
  tiktok: () => 'Tocca ••• in alto a destra › Apri nel browser',
  line: () => 'Tocca ⋮ › Apri nel browser predefinito',
  other: (browser) => `Dal menu ••• scegli Apri nel browser, o incolla il link in ${browser}`,
};

/** Common names of systems. */
const systems: Record<string, string | undefined> = {
  macOS: 'Mac',
  iOS: 'iPhone',
  'Chrome OS': 'Chromebook',
};

/** Names of devices whose browser reveals no more. */
export const deviceTexts = {
  phone: 'Telefono',
  tablet: 'Tablet',
  desktop: 'Computer',
  unknown: 'Dispositivo sconosciuto',
  systems,
} as const;
