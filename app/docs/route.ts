import { referencePage } from "@/lib/docs/reference-page";

export const GET = () => referencePage();
