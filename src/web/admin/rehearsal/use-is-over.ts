import { useEffect, useState } from 'react';

/** Returns true once this time has passed, and rerenders then. @param moment ISO 8601 */
export function useIsOver(moment: string): boolean {
  const [over, setOver] = useState<string | null>(null);
  useEffect(() => {
    const left = Date.parse(moment) - Date.now();
    const timer = setTimeout(() => setOver(moment), Math.max(0, left));
    return () => clearTimeout(timer);
  }, [moment]);
  return over === moment;
}
