import { useEffect, useState } from 'react';

/** Returns true once this time has passed, and rerenders then. @param moment ISO 8601 */
export function useIsOver(moment: string): boolean {
  const [endedMoment, setEndedMoment] = useState<string | null>(null);
  useEffect(() => {
    const remainingMs = Date.parse(moment) - Date.now();
    const timer = setTimeout(() => setEndedMoment(moment), Math.max(0, remainingMs));
    return () => clearTimeout(timer);
  }, [moment]);
  return endedMoment === moment;
}
