import { referenceAsset } from "@/lib/docs/reference-page";

export const GET = async (_request: Request, { params }: { params: Promise<{ asset: string }> }) => referenceAsset((await params).asset);
