import { twoTripEvenings } from './evenings.ts';
import { webkit } from './support/webkit.ts';

twoTripEvenings(webkit);
