/// The gzip file format (RFC 1952) around data compressed with DEFLATE (RFC 1951), as HTTP's content
/// coding `gzip` has it (RFC 9110 §8.4.1.3). zlib does the work.
public enum Gzip {}
