/** What a device is called when its browser doesn't say more. */
export const deviceTexts = {
  phone: 'Telefono',
  tablet: 'Tablet',
  desktop: 'Computer',
  unknown: 'Dispositivo sconosciuto',
  /** As people say it. */
  systems: { macOS: 'Mac', iOS: 'iPhone', 'Chrome OS': 'Chromebook' } as Record<string, string | undefined>,
} as const;
