import { hearing } from './evenings.ts';
import { oneTripInRealTime } from './one-trip.ts';
import { webkit } from './support/webkit.ts';

oneTripInRealTime(webkit);
hearing(webkit);
