import { hearing } from './evenings.ts';
import { oneTripInRealTime } from './one-trip.ts';
import { firefox } from './support/firefox.ts';

oneTripInRealTime(firefox);
hearing(firefox);
