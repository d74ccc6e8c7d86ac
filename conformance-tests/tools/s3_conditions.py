"""Prints which conditions an S3 server honours, beside what docs/guide/clouds.md says of it.

    s3_conditions.py ENDPOINT [BUCKET]

Needs boto3, which the environment of `.ci/moto` has. Waits until the server answers, and for the bucket "tests" if none
is named. The key is that of the servers of `.ci`, unless AWS's environment variables hold one.
"""

import os
import sys
import time

import boto3
from botocore.exceptions import BotoCoreError, ClientError

STALE = '"00000000000000000000000000000000"'


def client(endpoint):
    return boto3.client(
        "s3",
        endpoint_url=endpoint,
        region_name="us-east-1",
        aws_access_key_id=os.environ.get("AWS_ACCESS_KEY_ID", "testing"),
        aws_secret_access_key=os.environ.get("AWS_SECRET_ACCESS_KEY", "testing12"),
    )


def wait(s3, bucket):
    for _ in range(600):
        try:
            s3.head_bucket(Bucket=bucket)
            return
        except (BotoCoreError, ClientError):
            time.sleep(0.1)
    raise SystemExit(f"no bucket {bucket}")


def put(s3, place):
    s3.put_object(**place, Body=b"new", IfMatch=STALE)


def create(s3, place):
    s3.put_object(**place, Body=b"new", IfNoneMatch="*")


def delete(s3, place):
    s3.delete_object(**place, IfMatch=STALE)


def complete(s3, place, **condition):
    upload = s3.create_multipart_upload(**place)["UploadId"]
    part = s3.upload_part(**place, UploadId=upload, PartNumber=1, Body=b"new")
    parts = {"Parts": [{"PartNumber": 1, "ETag": part["ETag"]}]}
    s3.complete_multipart_upload(**place, UploadId=upload, MultipartUpload=parts, **condition)


REQUESTS = {
    "PUT, If-Match of another version": put,
    "PUT, If-None-Match: * of an object that exists": create,
    "DELETE, If-Match of another version": delete,
    "CompleteMultipartUpload, If-Match of another version": lambda s3, place: complete(s3, place, IfMatch=STALE),
    "CompleteMultipartUpload, If-None-Match: *": lambda s3, place: complete(s3, place, IfNoneMatch="*"),
}


def main():
    s3 = client(sys.argv[1])
    bucket = sys.argv[2] if len(sys.argv) > 2 else "tests"
    wait(s3, bucket)
    for name, request in REQUESTS.items():
        place = {"Bucket": bucket, "Key": "conditions"}
        s3.put_object(**place, Body=b"old")
        try:
            request(s3, place)
            told = "ignored"
        except ClientError as e:
            told = f"refused, HTTP {e.response['ResponseMetadata']['HTTPStatusCode']}"
        try:
            kept = s3.get_object(**place)["Body"].read() == b"old"
        except ClientError:
            kept = False
        print(f"{name}: {told}, the object is {'kept' if kept else 'LOST'}", flush=True)
        s3.delete_object(**place)


main()
