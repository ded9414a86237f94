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
