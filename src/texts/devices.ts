/** As people say it. */
const systems: Record<string, string | undefined> = {
  macOS: 'Mac',
  iOS: 'iPhone',
  'Chrome OS': 'Chromebook',
};

/** What a device is called when its browser doesn't say more. */
export const deviceTexts = {
  phone: 'Telefono',
  tablet: 'Tablet',
  desktop: 'Computer',
  unknown: 'Dispositivo sconosciuto',
  systems,
} as const;
