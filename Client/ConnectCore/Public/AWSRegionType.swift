/// A region of the service, under the AWS SDK's names. The client does not check whether a region has the service.
public enum AWSRegionType: Int, Sendable, CaseIterable {
    /// No region: the first call fails unless an endpoint is set.
    case Unknown
    /// `us-east-1`
    case USEast1
    /// `us-east-2`
    case USEast2
    /// `us-west-1`
    case USWest1
    /// `us-west-2`
    case USWest2
    /// `eu-west-1`
    case EUWest1
    /// `eu-west-2`
    case EUWest2
    /// `eu-central-1`
    case EUCentral1
    /// `eu-central-2`
    case EUCentral2
    /// `ap-southeast-1`
    case APSoutheast1
    /// `ap-northeast-1`
    case APNortheast1
    /// `ap-northeast-2`
    case APNortheast2
    /// `ap-southeast-2`
    case APSoutheast2
    /// `ap-southeast-3`
    case APSoutheast3
    /// `ap-southeast-4`
    case APSoutheast4
    /// `ap-southeast-5`
    case APSoutheast5
    /// `ap-southeast-7`
    case APSoutheast7
    /// `ap-south-1`
    case APSouth1
    /// `ap-south-2`
    case APSouth2
    /// `sa-east-1`
    case SAEast1
    /// `cn-north-1`
    case CNNorth1
    /// `ca-central-1`
    case CACentral1
    /// `ca-west-1`
    case CAWest1
    /// `us-gov-west-1`
    case USGovWest1
    /// `cn-northwest-1`
    case CNNorthWest1
    /// `eu-west-3`
    case EUWest3
    /// `us-gov-east-1`
    case USGovEast1
    /// `eu-north-1`
    case EUNorth1
    /// `ap-east-1`
    case APEast1
    /// `me-central-1`
    case MECentral1
    /// `me-south-1`
    case MESouth1
    /// `af-south-1`
    case AFSouth1
    /// `eu-south-1`
    case EUSouth1
    /// `eu-south-2`
    case EUSouth2
    /// `il-central-1`
    case ILCentral1

    /// The region's name in host names, such as `us-east-1`; empty for ``Unknown``.
    public var name: String { Self.names[rawValue] }

    /// Finds a region by its name, such as `us-east-1`; nil for any other text.
    public init?(name: String) {
        guard !name.isEmpty, let index = Self.names.firstIndex(of: name) else { return nil }
        self.init(rawValue: index)
    }

    private static let names = [
        "", "us-east-1", "us-east-2", "us-west-1", "us-west-2", "eu-west-1", "eu-west-2", "eu-central-1",
        "eu-central-2", "ap-southeast-1", "ap-northeast-1", "ap-northeast-2", "ap-southeast-2",
        "ap-southeast-3", "ap-southeast-4", "ap-southeast-5", "ap-southeast-7", "ap-south-1", "ap-south-2",
        "sa-east-1", "cn-north-1", "ca-central-1", "ca-west-1", "us-gov-west-1", "cn-northwest-1",
        "eu-west-3", "us-gov-east-1", "eu-north-1", "ap-east-1", "me-central-1", "me-south-1", "af-south-1",
        "eu-south-1", "eu-south-2", "il-central-1",
    ]
}

/// Another name of ``AWSRegionType``.
public typealias Region = AWSRegionType
